#pragma once

#include "core/codegen/stream/values.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gst::streaming {

/// What statements or an expression mention.
class mentioned {
  public:
    explicit mentioned(const statement& s) { look_at(s); }
    explicit mentioned(const value& v) { look_at(v); }
    explicit mentioned(const block& all) { look_at(all); }

    std::set<std::string> names;                ///< all variables
    std::set<std::string> assigned;             ///< those that are declared or assigned to
    std::map<std::string, std::set<int>> lanes; ///< of vectors, where a lane is mentioned alone
    std::set<std::string> whole;                ///< variables of which not a lane alone is mentioned
    bool memory = false;                        ///< an expression reads elements that are not always the same one
    bool barrier = false;                       ///< it is, or holds, one

  private:
    void look_at(const value& v);
    void look_at(const std::vector<value>& all);
    void look_at(const block& all);
    void look_at(const statement& s);

    std::set<const nest::expression*> seen_;
};

} // namespace gst::streaming
