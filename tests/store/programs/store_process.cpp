// store_process insert DATABASE FIRST COUNT   inserts rows, each with a key of its own; prints a line per stored row
// store_process count DATABASE                prints the notice, the number of rows and of distinct keys
// store_process read DATABASE                 the same, without a wish to write

#include "core/base/error.hpp"
#include "core/store/results.hpp"

#include <fmt/format.h>

#include <iostream>
#include <set>
#include <span>
#include <string>
#include <unistd.h>

namespace {

using namespace gst;

void say(const std::string& line) {
    if (::write(1, line.data(), line.size()) < 0) {
        ::_exit(4);
    }
}

void insert(result_store& store, int first, int count) {
    const session_id session = store.begin_session({"app.toml", "gst run app.toml", "random", 1, "", "test"});
    for (int i = first; i < first + count; ++i) {
        measurement m;
        m.outcome = status::correct;
        m.time = i;
        const result_key key{"heat3d", "", "64x64x64", std::to_string(i), "opencl", "Device One", "", ""};
        store.insert(key, {{"TBx", std::int64_t{i}}}, m, session);
        say(fmt::format("{}\n", i));
    }
}

void count(result_store& store) {
    std::set<std::string> keys;
    const auto rows = store.query();
    for (const result_row& row : rows) {
        keys.insert(row.key);
    }
    say(fmt::format("{}{}{} rows, {} keys\n", store.notice(), store.notice().empty() ? "" : "\n", rows.size(),
                    keys.size()));
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        result_store store(words.at(1), std::chrono::seconds(60),
                           words.at(0) == "read" ? store_use::read : store_use::write);
        if (words.at(0) == "insert") {
            insert(store, std::stoi(words.at(2)), std::stoi(words.at(3)));
        } else {
            count(store);
        }
        return 0;
    } catch (const user_error& e) {
        say(fmt::format("{}\n", e.what()));
        return 2;
    } catch (const machine_error& e) {
        say(fmt::format("{}\n", e.what()));
        return 3;
    }
}
