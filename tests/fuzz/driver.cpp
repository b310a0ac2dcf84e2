#include "core/base/random.hpp"
#include "dsl/tokens.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// Stands in for libFuzzer where there is none: `fuzz_dsl_driver <runs> <seed> <folder>…` runs the target over every
// file of the folders and over seeded mutations of them. Before each run the input goes to fuzz-last-input.gst, so that
// a crash leaves it behind.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace gst;

void run(const std::string& text) {
    std::ofstream("fuzz-last-input.gst", std::ios::binary) << text;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::string piece(const std::string& text, span s) {
    return text.substr(s.begin, s.end - s.begin);
}

/// One random change: a byte, or tokens of this text or of another put in, taken out or exchanged.
std::string mutated(std::string text, const std::string& other, random_source& rng) {
    const std::vector<span> tokens = dsl::tokens_of(text);
    const std::vector<span> others = dsl::tokens_of(other);
    if (tokens.empty() || others.empty() || rng.below(5) == 0) {
        const char byte = static_cast<char>(rng.below(256));
        text.insert(text.begin() + static_cast<std::ptrdiff_t>(rng.below(text.size() + 1)), byte);
        return text;
    }
    const span at = tokens[rng.below(tokens.size())];
    const std::size_t from = rng.below(others.size());
    const std::size_t count = std::min<std::size_t>(1 + rng.below(8), others.size() - from);
    const std::string tape = " " + piece(other, {others[from].begin, others[from + count - 1].end}) + " ";
    switch (rng.below(4)) {
    case 0:
        return text.erase(at.begin, at.end - at.begin);
    case 1:
        return text.insert(at.begin, tape);
    case 2:
        return text.replace(at.begin, at.end - at.begin, tape);
    default: {
        const span to = tokens[rng.below(tokens.size())];
        const span last{std::min(at.begin, to.begin), std::max(at.end, to.end)};
        return rng.below(2) == 0 ? text.erase(last.begin, last.end - last.begin)
                                 : text.insert(last.end, " " + piece(text, last));
    }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: fuzz_dsl_driver <runs> <seed> <folder>…\n";
        return 2;
    }
    const std::uint64_t runs = std::strtoull(argv[1], nullptr, 10);
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
    std::vector<std::filesystem::path> paths;
    for (int i = 3; i < argc; ++i) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (entry.path().extension() == ".gst") {
                paths.push_back(entry.path());
            }
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> corpus;
    for (const auto& path : paths) {
        std::ifstream in(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        run(corpus.back());
    }
    if (corpus.empty()) {
        std::cerr << "no .gst file in the folders given\n";
        return 2;
    }
    random_source rng(seed);
    for (std::uint64_t i = 0; i < runs; ++i) {
        std::string text = corpus[rng.below(corpus.size())];
        for (std::uint64_t changes = 1 + rng.below(4); changes > 0; --changes) {
            text = mutated(std::move(text), corpus[rng.below(corpus.size())], rng);
        }
        run(text);
    }
    std::filesystem::remove("fuzz-last-input.gst");
    std::cout << corpus.size() << " files and " << runs << " mutations of them, seed " << seed << ": no crash\n";
    return 0;
}
