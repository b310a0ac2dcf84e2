#include "core/store/model_file.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/hash.hpp"
#include "core/store/recording/file.hpp"

#include <fmt/format.h>

#include <limits>
#include <variant>

namespace gst {

namespace {

constexpr std::int64_t format_version = 2;
constexpr std::string_view mark = "gst-model";
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::string written(const value& v) {
    if (const auto* text = std::get_if<std::string>(&v)) {
        return write_text(*text);
    }
    const auto* real = std::get_if<double>(&v);
    return real != nullptr ? write_number(*real) : to_string(v);
}

/// true, false, a text in quotes, or a number; a whole one is an integer, which the check of options takes for a real.
value read_value(model_reader& in) {
    if (in.accept("true")) {
        return true;
    }
    if (in.accept("false")) {
        return false;
    }
    if (in.next_is_text()) {
        return in.text("the value of an option");
    }
    const double v = in.number("the value of an option");
    const auto whole = static_cast<std::int64_t>(v);
    return static_cast<double>(whole) == v ? value(whole) : value(v);
}

std::string header(const model_description& m) {
    std::string out =
        fmt::format("{} {}\npredictor {} {}\n", mark, format_version, write_text(m.predictor), write_text(m.version));
    for (const auto& [name, v] : m.options) {
        out += fmt::format("option {} {}\n", write_text(name), written(v));
    }
    out += fmt::format("predicts {}\ndevice {} {}\ntraining {} {}\n", write_text(m.predicts), write_text(m.device),
                       write_text(m.backend), write_text(m.training), m.rows);
    for (const auto& [name, v] : m.scores) {
        out += fmt::format("score {} {}\n", write_text(name), write_number(v));
    }
    out += fmt::format("features {} {}\n", m.features_version, m.features.size());
    for (const training_table::feature& f : m.features) {
        out += fmt::format("feature {} {}\n", write_text(f.name), write_text(f.unit));
    }
    for (const beside_feature& f : m.beside) {
        out += fmt::format("beside {} {} {} {}\n", write_text(f.name), write_text(f.unit), write_number(f.low),
                           write_number(f.high));
    }
    out += fmt::format("classes {}\n", m.classes.size());
    for (const std::string& name : m.classes) {
        out += fmt::format("class {}\n", write_text(name));
    }
    return out + "learned\n";
}

void read_format(model_reader& in) {
    if (!in.accept(mark)) {
        in.word("a model");
        in.fail("this is no model of gst");
    }
    if (const std::int64_t version = in.integer("the version of the format", 1, most); version != format_version) {
        in.fail(fmt::format("the model's format is {}, and this gst reads {}", version, format_version));
    }
}

void read_features(model_reader& in, model_description& m, std::int64_t features_version) {
    in.expect("features");
    m.features_version = in.integer("the version of the features", 0, most);
    if (m.features_version != features_version) {
        in.fail(fmt::format("the model was trained on features as version {} defines them, and this gst computes those "
                            "of version {}",
                            m.features_version, features_version));
    }
    m.features.resize(static_cast<std::size_t>(in.integer("the number of features", 1, 1 << 20)));
    for (training_table::feature& f : m.features) {
        in.expect("feature");
        f.name = in.text("the name of a feature");
        f.unit = in.text("the unit of a feature");
    }
    while (in.accept("beside")) {
        beside_feature f;
        f.name = in.text("the name of a feature");
        f.unit = in.text("the unit of a feature");
        f.low = in.number("the least value of a feature");
        f.high = in.number("the greatest value of a feature");
        m.beside.push_back(std::move(f));
    }
}

void read_classes(model_reader& in, model_description& m) {
    in.expect("classes");
    m.classes.resize(static_cast<std::size_t>(in.integer("the number of classes", 0, 1 << 20)));
    for (std::string& name : m.classes) {
        in.expect("class");
        name = in.text("the name of a class");
    }
}

void read_header(model_file& file, std::int64_t features_version) {
    model_reader& in = file.in;
    model_description& m = file.about;
    read_format(in);
    in.expect("predictor");
    m.predictor = in.text("the name of a predictor");
    file.predictor = in.last();
    m.version = in.text("the version of a predictor");
    file.predictor.end = in.last().end;
    while (in.accept("option")) {
        const std::string name = in.text("the name of an option");
        m.options[name] = read_value(in);
    }
    in.expect("predicts");
    m.predicts = in.text("the name of what is predicted");
    in.expect("device");
    m.device = in.text("the name of a device");
    m.backend = in.text("the name of a backend");
    in.expect("training");
    m.training = in.text("what the model was trained on");
    m.rows = static_cast<std::uint64_t>(in.integer("the number of rows", 0, most));
    while (in.accept("score")) {
        const std::string name = in.text("the name of a score");
        m.scores[name] = in.number("a score");
    }
    read_features(in, m, features_version);
    read_classes(in, m);
    in.expect("learned");
}

/// Refuses a file that ends early, or whose bytes are not those that were written.
void check_end(const std::shared_ptr<const source>& text) {
    if (const std::size_t at = text->text.find("\r\n"); at != std::string::npos) {
        throw user_error(diagnostic{"the model's lines end in CR and LF, as gst does not write them",
                                    text,
                                    {at, at},
                                    "copy the file again, as bytes and not as text"});
    }
    const std::size_t at = text->text.rfind("\nend ") + 1;
    const std::size_t end = at + std::string_view("end \n").size() + digest("").size();
    if (at == 0 || text->text.size() < end) {
        throw user_error(diagnostic{"the model is cut off: it lacks its last line",
                                    text,
                                    {text->text.size(), text->text.size()},
                                    "copy the file again"});
    }
    if (text->text.size() > end) {
        throw user_error(diagnostic{"the model goes on after its last line", text, {end, end}, "copy the file again"});
    }
    const span last{at, end};
    if (text->text.compare(at, std::string::npos, "end " + digest(std::string_view(text->text).substr(0, at)) + "\n") !=
        0) {
        throw user_error(diagnostic{"the model is not as it was written: its digest is another", text, last,
                                    "copy the file again, or train the model again"});
    }
}

} // namespace

void write_model(const std::filesystem::path& file, const model_description& about, const std::string& learned) {
    const std::string text = header(about) + learned;
    atomic_file out(file);
    out.write(text);
    out.write(fmt::format("end {}\n", digest(text)));
    out.commit();
}

model_file open_model(const std::filesystem::path& file, const std::string& shown, std::int64_t features_version) {
    source written = *read_plain_or_gzip(file, shown, "give the path of a model that gst has trained");
    written.of_machine = true;
    const auto text = std::make_shared<const source>(std::move(written));
    model_reader beginning(text);
    read_format(beginning); // explains more than what the end lacks
    check_end(text);
    model_file out{{}, text, {}, model_reader(text)};
    read_header(out, features_version);
    return out;
}

void model_file::expect_end() {
    if (!in.accept("end")) {
        in.word("the end");
        in.fail("the model goes on after all that its predictor knows");
    }
}

} // namespace gst
