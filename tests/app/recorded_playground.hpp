#pragma once

#include "tests/app/shell.hpp"

#include <string>

namespace gst::test {

inline const std::string csv = "block,unroll,status,time_ms,compile_ms,measure_ms\n"
                               "32,1,correct,4,1000,500\n"
                               "32,2,correct,2,1000,500\n"
                               "64,1,compile,,3000,\n"
                               "64,2,correct,1,1000,500\n";
inline const std::string app = "[backend]\nname = \"replay\"\n[backend.options]\nfile = \"small.csv\"\n"
                               "[search]\nstrategy = \"exhaustive\"\n[budget]\nevaluations = 0\n";
inline const std::string strategies =
    "seeds = 3\nevaluations = 2\n[[strategy]]\nname = \"random\"\n[[strategy]]\nname = "
    "\"exhaustive\"\n[[space]]\nfile = \"small.csv\"\n";

/// A playground with a recording, small.csv, and what tunes on it and compares strategies on it.
struct recorded_playground : playground {
    recorded_playground() {
        folder().write("small.csv", csv);
        folder().write("app.toml", app);
        folder().write("strategies.toml", strategies);
    }
};

} // namespace gst::test
