#include "plugins/search/ranks.hpp"
#include "tests/catch.hpp"

#include <map>
#include <set>
#include <vector>

using namespace gst;

TEST_CASE("every number is drawn once") {
    for (std::uint64_t count = 0; count <= 50; ++count) {
        random_source rng(count);
        ranks r(count);
        std::set<std::uint64_t> drawn;
        while (r.left() > 0) {
            const std::uint64_t n = r.draw(rng);
            CHECK(n < count);
            CHECK(drawn.insert(n).second);
        }
        CHECK(drawn.size() == count);
    }
}

TEST_CASE("every permutation is as likely as any other") {
    std::map<std::vector<std::uint64_t>, int> seen;
    random_source rng(11);
    constexpr int draws = 24000;
    for (int i = 0; i < draws; ++i) {
        ranks r(4);
        std::vector<std::uint64_t> order;
        while (r.left() > 0) {
            order.push_back(r.draw(rng));
        }
        ++seen[order];
    }
    REQUIRE(seen.size() == 24);
    double chi = 0;
    for (const auto& [order, n] : seen) {
        chi += (n - draws / 24.0) * (n - draws / 24.0) / (draws / 24.0);
    }
    INFO("chi squared " << chi);
    CHECK(chi < 49.7); // 23 degrees of freedom, p = 0.001
}

TEST_CASE("a count of 2^64-1 is drawn from without listing it") {
    random_source rng(5);
    ranks r(~std::uint64_t{0});
    std::set<std::uint64_t> drawn;
    for (int i = 0; i < 10000; ++i) {
        drawn.insert(r.draw(rng));
    }
    CHECK(drawn.size() == 10000);
    CHECK(*drawn.rbegin() > (std::uint64_t{1} << 63));
    CHECK(r.left() == ~std::uint64_t{0} - 10000);
}
