#include "core/codegen/stream/short_lives.hpp"
#include "tests/catch.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace gst;
using namespace gst::streaming;

namespace {

value number_named(const std::string& name) {
    return var(name, type::f64);
}
/// const double name = array[at]; of local memory.
statement local_load(const std::string& name, const std::string& at) {
    return {declare{type::f64, name, make(load{"array", var(at), scalar::f64, true}, type::f64)}};
}
statement declared(const std::string& name, const value& init) {
    return {declare{init->of, name, init}};
}
statement stored(const std::string& at, const value& what) {
    return {store{"array", var(at), what, scalar::f64, true}};
}
value sum(const std::string& a, const std::string& b) {
    return binary_value(ir::binary_op::add, number_named(a), number_named(b));
}

/// The statements in order: what each declares or, of stores, where it stores.
std::string order_of(const block& all) {
    std::string out;
    for (const statement& s : all) {
        if (const auto* d = std::get_if<declare>(&s.what)) {
            out += d->name + " ";
        } else if (const auto* v = std::get_if<declare_vector>(&s.what)) {
            out += v->name + " ";
        } else if (const auto* t = std::get_if<store>(&s.what)) {
            out += "@" + std::get<variable>(t->at->op).name + " ";
        } else {
            out += std::holds_alternative<barrier>(s.what) ? "| " : "{} ";
        }
    }
    return out;
}

std::string shortened(block all, std::size_t first, block stores) {
    shorten_lives(all, first, std::move(stores));
    return order_of(all);
}

} // namespace

TEST_CASE("loads come where they are needed, few stores last") {
    const block all = {local_load("a", "at"), local_load("b", "at"), local_load("unused", "at"),
                       declared("y", sum("b", "old")), declared("x", sum("a", "b"))};
    CHECK(shortened(all, 0, {stored("px", number_named("x")), stored("py", number_named("y"))}) ==
          "b y a x unused @px @py ");
}

TEST_CASE("two more results come before a store") {
    block all, stores;
    for (const char* name : {"a", "b", "c", "d"}) {
        const std::string result = std::string("r") + name;
        all.push_back(local_load(name, "at"));
        all.push_back(declared(result, sum(name, "old")));
        stores.push_back(stored(std::string("p") + name, number_named(result)));
    }
    CHECK(shortened(all, 0, stores) == "a ra b rb c rc @pa d rd @pb @pc @pd ");
}

TEST_CASE("sums are begun with what is known") {
    const auto add = [](const value& a, const std::string& b, ir::binary_op op = ir::binary_op::add) {
        return binary_value(op, a, number_named(b));
    };
    const block all = {{barrier{}},
                       local_load("new", "at"),
                       declared("beside", make(shuffle{number_named("old"), 1}, type::f64)),
                       declared("s", add(add(sum("old", "beside"), "new", ir::binary_op::subtract), "other")),
                       declared("t", add(add(sum("old", "older"), "s"), "oldest", ir::binary_op::subtract)),
                       declared("u", sum("new", "old"))};
    CHECK(shortened(all, 0, {}) == "beside s_begun2 t_begun2 | new u s t ");
    block ordered = all;
    shorten_lives(ordered, 0, {});
    const auto text = [](const value& v) {
        std::string out;
        const auto write = [&](const auto& self, const value& one) -> void {
            if (const auto* b = std::get_if<nest::binary>(&one->op)) {
                self(self, b->a);
                out += b->op == ir::binary_op::subtract ? "-" : "+";
                self(self, b->b);
            } else {
                out += std::get<variable>(one->op).name;
            }
        };
        write(write, v);
        return out;
    };
    CHECK(text(std::get<declare>(ordered[1].what).init) == "old+beside");
    CHECK(text(std::get<declare>(ordered[6].what).init) == "s_begun2-new+other");
    CHECK(text(std::get<declare>(ordered[7].what).init) == "t_begun2+s-oldest");
    const block known = {{barrier{}},
                         declared("s", add(sum("old", "older"), "oldest")),
                         local_load("new", "at"),
                         declared("t", binary_value(ir::binary_op::multiply, number_named("new"), number_named("s")))};
    CHECK(shortened(known, 0, {}) == "s | new t ");
}

TEST_CASE("what of a sum waits for memory stays where it is") {
    const auto element = [](const value& at, bool local) {
        return make(load{"array", at, scalar::f64, local}, type::f64);
    };
    const auto after_barrier = [](value init) {
        return shortened({{barrier{}}, declared("s", std::move(init))}, 0, {});
    };
    const auto plus_old = [](const value& a) { return binary_value(ir::binary_op::add, a, number_named("old")); };
    CHECK(after_barrier(plus_old(element(var("at"), false))) == "| s ");
    CHECK(after_barrier(plus_old(element(number(3), true))) == "| s ");
    CHECK(after_barrier(plus_old(element(number(3), false))) == "s | "); // a number in constant memory
    CHECK(after_barrier(binary_value(ir::binary_op::add, sum("a", "b"), element(var("at"), false))) == "s_begun1 | s ");
    // Neither an index nor an element of a vector alone is worth a name.
    CHECK(after_barrier(binary_value(ir::binary_op::add, var("i"), var("j"))) == "| s ");
    CHECK(after_barrier(
              binary_value(ir::binary_op::add, make(lane{"v", 2, 1}, type::f64), element(var("at"), false))) == "| s ");
}

TEST_CASE("what comes before stays, and second names follow what they name") {
    const block all = {local_load("before", "at"), local_load("a", "at"), declared("y", sum("a", "old")),
                       declared("z", sum("a", "y")), declared("next", number_named("y"))};
    CHECK(shortened(all, 1, {declared("to", number(0) + var("turn")), stored("to", number_named("next"))}) ==
          "before a y z next to @to ");
    CHECK(shortened(all, 1, {stored("p", number_named("before"))}) == "before a y z next @p ");
}

TEST_CASE("no load or store passes a barrier") {
    const block all = {local_load("a", "at"),
                       declared("y", sum("old", "older")),
                       {barrier{}},
                       local_load("b", "at"),
                       declared("z", sum("a", "b"))};
    CHECK(shortened(all, 0, {stored("p", number_named("y"))}) == "y a | b z @p ");
    const block nested = {local_load("a", "at"),
                          declared("y", sum("old", "older")),
                          {branch{var("some"), {{barrier{}}}, {}}},
                          declared("z", sum("a", "y"))};
    CHECK(shortened(nested, 0, {stored("p", number_named("y"))}) == "y a z {} @p ");
    const block copies = {local_load("a", "at"), {commit_copies{}}, declared("z", sum("a", "old"))};
    CHECK(shortened(copies, 0, {}) == "a z {} ");
}

TEST_CASE("stores that are known before a barrier come behind it") {
    block all, stores;
    for (const char* name : {"a", "b", "c", "|", "d", "e"}) {
        if (*name == '|') {
            all.push_back({barrier{}});
            continue;
        }
        all.push_back(local_load(name, "at"));
        all.push_back(declared(std::string("r") + name, sum(name, "old")));
        stores.push_back(stored(std::string("p") + name, number_named(std::string("r") + name)));
    }
    CHECK(shortened(all, 0, stores) == "a ra b rb c rc | d rd e re @pa @pb @pc @pd @pe ");
}

TEST_CASE("work between the halves of a barrier stays there") {
    const block all = {local_load("new", "at"),
                       {arrive{"counter", "token"}},
                       declared("s", sum("old", "older")),
                       {await_arrivals{"counter", "token"}},
                       declared("t", sum("s", "oldest")),
                       declared("u", sum("old", "new"))};
    CHECK(shortened(all, 0, {}) == "new {} s t u {} ");
}

TEST_CASE("a value that a branch may change is stored behind it") {
    const block all = {local_load("a", "at"),
                       {declare{type::f64, "y", number_named("old"), true}},
                       {branch{var("some"), {{assign{"y", number_named("a")}}}, {}}},
                       declared("next", number_named("y")),
                       {branch{var("some"), {{assign{"other", number_named("y")}}}, {}}}};
    CHECK(shortened(all, 0, {stored("p", number_named("next"))}) == "y a {} next {} @p ");
    block more = all, stores = {stored("py", number_named("y"))};
    for (const char* name : {"b", "c", "d"}) {
        more.push_back(local_load(name, "at"));
        more.push_back(declared(std::string("r") + name, sum(name, "y")));
        stores.push_back(stored(std::string("p") + name, number_named(std::string("r") + name)));
    }
    more.push_back(declared("begun", sum("y", "old")));
    CHECK(shortened(more, 0, stores) == "y a {} next begun {} b rb c rc @py d rd @pb @pc @pd ");
}

TEST_CASE("elements of a vector need its load") {
    block all = {{declare_vector{scalar::f64, 2, "v", "array", var("at"), true, true}},
                 declared("y", sum("old", "older"))};
    all.push_back(declared("z", make(lane{"v", 2, 1}, type::f64)));
    CHECK(shortened(all, 0, {}) == "y v z ");
}
