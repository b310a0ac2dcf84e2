#pragma once

#include "core/app/config.hpp"

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace gst {

/// Reads the keys of one TOML table into settings and collects what is wrong: wrong types, values out of range, and at
/// the end the keys that nobody asked for.
class table_reader {
  public:
    /// `name`: what messages call the table, e.g. "grid"; "" for the document.
    table_reader(const toml_document::item& table, std::string name, std::vector<diagnostic>& mistakes);

    /// The name of a plugin, or the path of one, which is absolute afterwards where it was typed.
    void read_plugin(const std::string& key, setting<std::string>& to);
    void read(const std::string& key, setting<bool>& to);
    void read(const std::string& key, setting<std::string>& to);
    void read(const std::string& key, setting<std::int64_t>& to, std::int64_t low = 0,
              std::int64_t high = std::numeric_limits<std::int64_t>::max());
    void read(const std::string& key, setting<double>& to, double low = -std::numeric_limits<double>::infinity(),
              double high = std::numeric_limits<double>::infinity());
    /// A path relative to `folder` (one typed on the command line: to the working directory), made absolute.
    void read(const std::string& key, setting<std::filesystem::path>& to, const std::filesystem::path& folder);
    /// One of the words; gives its position.
    std::optional<std::size_t> choose(const std::string& key, const std::vector<std::string>& words, place& written);
    void read_choice(const std::string& key, setting<std::string>& to, const std::vector<std::string>& words);
    /// An array of texts; a single text is an array of one.
    void read(const std::string& key, setting<std::vector<std::string>>& to);
    void read(const std::string& key, setting<std::vector<double>>& to);
    void read(const std::string& key, setting<std::vector<std::int64_t>>& to, std::int64_t low, std::int64_t high);
    /// Calls `each` with a reader of the table `key`, if there is one.
    void table(const std::string& key, const std::function<void(table_reader&)>& each);
    /// Calls `each` for every entry of the table `key`; any key is known.
    void entries(const std::string& key, const std::function<void(const toml_document::entry&)>& each);
    /// Calls `each` with a reader of every table of the array `key`, which must hold one at least; `example` shows one.
    void tables(const std::string& key, const std::string& example,
                const std::function<void(table_reader&, const toml_document::item&)>& each);
    /// The options of a plugin: plain values of any name.
    void read_options(const std::string& key, std::map<std::string, setting<value>>& to);
    /// Reports the keys that were not read.
    void finish();

    /// The value of a key, which counts as read.
    const toml_document::item* take(const std::string& key);
    void wrong(const toml_document::item& n, const std::string& key, const std::string& expected);
    std::string full(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }
    std::vector<diagnostic>& mistakes() { return mistakes_; }

  private:
    const toml_document::item& table_;
    std::string name_;
    std::vector<diagnostic>& mistakes_;
    std::set<std::string> known_;
};

/// A boolean, number or text as a value; nothing for arrays and tables.
std::optional<value> scalar_value(const toml_document::item& n);
/// An integer or a real as a real.
std::optional<double> real_value(const toml_document::item& n);

} // namespace gst
