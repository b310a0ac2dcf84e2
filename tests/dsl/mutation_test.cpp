#include "dsl/tokens.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

// Every single-token deletion, duplication and swap of neighbours of every example ends in success or in a diagnostic,
// and most carets stand where the mistake is.

using namespace gst;

namespace {

struct mutant {
    std::string text;
    span at; ///< of what was changed, in the new text
};

std::string piece(const std::string& text, span s) {
    return text.substr(s.begin, s.end - s.begin);
}

mutant replaced(const std::string& text, span old, const std::string& with) {
    return {text.substr(0, old.begin) + with + text.substr(old.end), {old.begin, old.begin + with.size()}};
}

std::vector<mutant> mutants_of(const std::string& text) {
    std::vector<mutant> out;
    const std::vector<span> tokens = dsl::tokens_of(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string token = piece(text, tokens[i]);
        out.push_back(replaced(text, tokens[i], " "));
        out.push_back(replaced(text, tokens[i], token + " " + token));
        if (i + 1 < tokens.size()) {
            const std::string between = piece(text, {tokens[i].end, tokens[i + 1].begin});
            const std::string swapped = piece(text, tokens[i + 1]) + (between.empty() ? " " : between) + token + " ";
            out.push_back(replaced(text, {tokens[i].begin, tokens[i + 1].end}, swapped));
        }
    }
    return out;
}

/// Whether `caret` is on what was changed or on the token before or after it.
bool near(const mutant& m, std::size_t caret) {
    span around{0, m.text.size()};
    for (const span& token : dsl::tokens_of(m.text)) {
        if (token.end <= m.at.begin) {
            around.begin = token.begin;
        }
        if (token.begin >= m.at.end) {
            around.end = token.end;
            break;
        }
    }
    return caret >= around.begin && caret <= around.end;
}

} // namespace

TEST_CASE("every mutated example ends in success or a diagnostic, with the caret where the mistake is") {
    std::size_t failed = 0;
    std::size_t on_the_spot = 0;
    for (const auto& path : example_files()) {
        const std::string text = text_of(path);
        for (const mutant& m : mutants_of(text)) {
            INFO(path.filename().string() << "\n" << m.text);
            try {
                stencils_of(m.text);
            } catch (const user_error& e) {
                ++failed;
                const bool hit = near(m, e.diagnostics().front().at.begin);
                on_the_spot += hit ? 1 : 0;
                if (!hit && std::getenv("GST_SHOW_MISSES") != nullptr) {
                    std::cout << "changed: '" << piece(m.text, m.at) << "'\n" << e.what() << "\n\n";
                }
            } catch (const std::exception& e) {
                FAIL("neither success nor a diagnostic: " << e.what());
            }
        }
    }
    const double share = 100.0 * static_cast<double>(on_the_spot) / static_cast<double>(failed);
    std::cout << "mutated examples: " << failed << " diagnostics, " << share << " % on or next to the mutated token\n";
    CHECK(failed > 1000);
    CHECK(share >= 90);
}
