#include "core/codegen/verification.hpp"
#include "core/stencil/stencil.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/execute.hpp"
#include "tests/first_seed.hpp"

#include <array>
#include <random>

using namespace gst;

namespace {

using sums = std::array<std::uint32_t, 2>;

/// The kernel `digest` on the device of the tests.
class digester {
  public:
    explicit digester(std::uint64_t words) : words_(words) {
        stencil s;
        s.name = "one";
        s.dimensions = 1;
        s.fields.push_back({"u", scalar::f32, scalar::f32, false, {}, 0, {}});
        stencil_builder b(s);
        s.updates = {{0, b.read(0, 0, {0, 0, 0})}};
        infer_reach(s);
        program p;
        p.modules = {make_verification(s, {64, 1, 1}, padded_rows, on_.info.language).comparison};
        module_ = on_.device->load(compile(on_, p).front()->code);
        array_ = on_.device->allocate(4 * words, nullptr, nullptr);
        result_ = on_.device->allocate(sizeof(comparison_result), nullptr, nullptr);
    }

    sums of(const std::vector<std::uint32_t>& words) {
        on_.device->write(*array_, 0, std::as_bytes(std::span(words)));
        std::array<std::uint32_t, 8> result{};
        on_.device->write(*result_, 0, std::as_bytes(std::span(result)));
        const launch l = digest_launch(4 * words_);
        const command c =
            launch_command{module_.get(), l.kernel, l.global, l.local, l.offset, {array_.get(), result_.get()}};
        on_.device->run({&c, 1});
        on_.device->read(*result_, 0, std::as_writable_bytes(std::span(result)));
        CHECK(std::all_of(result.begin() + 2, result.end(), [](std::uint32_t n) { return n == 0; }));
        return {result[0], result[1]};
    }

  private:
    std::uint64_t words_;
    test_device on_ = open_test_device();
    std::unique_ptr<executable> module_;
    std::unique_ptr<memory> array_, result_;
};

} // namespace

TEST_CASE("the digest of an array depends on each bit of each word and on its place") {
    constexpr std::size_t words = 3 * digested_at_once / 4;
    digester digest(words);
    std::mt19937_64 random(testing::first_seed() + 1);
    std::vector<std::uint32_t> array(words);
    for (std::uint32_t& w : array) {
        w = static_cast<std::uint32_t>(random());
    }
    const sums untouched = digest.of(array);
    CHECK(digest.of(array) == untouched);
    const auto check_differs = [&](const std::vector<std::uint32_t>& changed) {
        CHECK(digest.of(changed) != untouched);
    };

    for (int bit = 0; bit < 32; ++bit) {
        std::vector<std::uint32_t> changed = array;
        const std::size_t at = bit == 0 ? 0 : bit == 1 ? words - 1 : random() % words;
        changed[at] ^= std::uint32_t{1} << bit;
        CAPTURE(bit, at);
        check_differs(changed);
    }
    // What sums and products of odd numbers do not see: signs that change in pairs, words that change places; least of
    // all in the last words of work-items, with which their sums end.
    constexpr std::size_t chunk = digested_at_once / 4;
    for (int i = 0; i < 30; ++i) {
        const std::size_t last = chunk * (1 + random() % 2); // behind the words of a work-group
        const std::size_t at = i % 3 == 0 ? random() % (words - chunk) : last - 1 - random() % (i % 3 == 1 ? 63 : 255);
        for (const std::size_t apart : {std::size_t{1}, std::size_t{64}, chunk}) {
            const std::size_t other = at % chunk + apart < chunk || apart == chunk ? at + apart : at - apart;
            CAPTURE(at, other);
            std::vector<std::uint32_t> changed = array;
            changed[at] ^= 0x80000000;
            changed[other] ^= 0x80000000;
            check_differs(changed);
            changed = array;
            std::swap(changed[at], changed[other]);
            check_differs(changed);
        }
    }
    // A part that holds one value everywhere, whichever it is and wherever it begins.
    for (const std::uint32_t value : {0U, 0x7fc00000U, 0xffffffffU}) {
        for (const std::size_t begin : {std::size_t{0}, words / 2, words - 5}) {
            CAPTURE(value, begin);
            std::vector<std::uint32_t> changed = array;
            std::fill(changed.begin() + static_cast<std::ptrdiff_t>(begin), changed.end(), value);
            check_differs(changed);
        }
    }
}
