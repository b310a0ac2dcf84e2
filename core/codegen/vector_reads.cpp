#include "core/codegen/vector_reads.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace gst {

using namespace nest;

nest::value vector_reads::element(const row_of_points& row, int at, int point) {
    if (!row.aligned && row.stored == scalar::f16) { // PoCL 3.1 takes vectors of halves for aligned: they crash
        return make(load{row.array, plus(row.base, row.shift + at), row.stored, row.local}, register_type(row.stored));
    }
    const int begin = row.aligned ? (at >= 0 ? at / width_ : -((width_ - 1 - at) / width_)) * width_ : at - point;
    std::string name = fmt::format("{}_{}{}", row.name, begin < 0 ? "m" : "", std::abs(begin));
    if (read_.insert(name).second) {
        out_.push_back({declare_vector{row.stored, width_, name, row.array, plus(row.base, row.shift + begin),
                                       row.aligned, row.local}});
    }
    return make(lane{std::move(name), width_, at - begin}, register_type(row.stored));
}

nest::value vector_reads::all(const row_of_points& row, int at) {
    const type of = register_type(row.stored);
    compose lanes;
    std::set<std::string> vectors;
    for (int k = 0; k < width_; ++k) {
        lanes.lanes.push_back(element(row, at + k, k));
        const auto* one = std::get_if<lane>(&lanes.lanes.back()->op);
        vectors.insert(one != nullptr ? one->vector : std::to_string(k));
    }
    return vectors.size() == 1 ? make(variable{*vectors.begin()}, of, width_) : make(std::move(lanes), of, width_);
}

} // namespace gst
