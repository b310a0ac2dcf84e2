#pragma once

#include "core/base/diagnostic.hpp"
#include "core/space/value.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace gst {

using ordered_json = nlohmann::ordered_json;

/// Gets an entry of the large part of a file. user_errors without a place get the entry's.
using each_entry = std::function<void(const ordered_json& entry)>;

/// Reads a JSON object but for the entries of its member `large` (an object or array of objects), which are given to
/// `each` one by one and not kept; null: passed over. Returns the rest. Throws user_error with the place: no JSON, cut
/// off, no object, an entry that is no object.
ordered_json read_json(const std::shared_ptr<const source>& text, const std::string& large,
                       const each_entry& each = nullptr);

/// Where the values of all members of objects are, by their JSON pointers ("/results/0/time"): texts with their quotes,
/// of arrays and objects the bracket. The text must be JSON.
std::map<std::string, span> member_places(const std::shared_ptr<const source>& text);

/// The member of that name. Throws user_error when it is missing or not of the type that `expected` calls it.
const ordered_json& member(const ordered_json& object, const std::string& name, ordered_json::value_t type,
                           const std::string& expected);

/// A boolean, number or text. Throws user_error for anything else; `what` names it.
value to_value(const ordered_json& j, const std::string& what);
ordered_json from_value(const value& v);

/// The text of a member; "" when it is missing or no text.
std::string text_of(const ordered_json& object, const std::string& name);

/// The text itself. Throws user_error for anything else; `what` names it.
std::string to_text(const ordered_json& j, const std::string& what);

/// Whether the member is there and true.
bool is_set(const ordered_json& object, const std::string& name);

/// On one line; bytes that are no UTF-8 are replaced.
std::string dumped(const ordered_json& j);

/// The numbers of an array but for nulls; nothing when the member is missing or null.
std::vector<double> numbers(const ordered_json& object, const std::string& name);

} // namespace gst
