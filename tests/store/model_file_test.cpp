#include "core/base/error.hpp"
#include "core/base/hash.hpp"
#include "tests/catch.hpp"
#include "tests/model_text.hpp"
#include "tests/temporary_folder.hpp"

#include <fstream>
#include <sstream>

using namespace gst;
using namespace gst::test;

namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// What is written for the model.
std::string written(const model_description& m) {
    const temporary_folder folder;
    write_model(folder / "a.model", m, some_rows);
    return contents(folder / "a.model");
}

/// The message with which a file of these bytes is refused.
std::string refusal(const std::string& text) {
    const temporary_folder folder;
    try {
        open_model(folder.write("a.model", text), "a.model", 3);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

/// The text with another piece, and the digest that belongs to it.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = written(some_model());
    text.replace(text.find(from), from.size(), to);
    text.erase(text.rfind("end "));
    return text + "end " + digest(text) + "\n";
}

} // namespace

TEST_CASE("a model file is text that says what it is") {
    const std::string text = written(some_model());
    CHECK(text.substr(0, text.rfind("end ")) == R"(gst-model 2
predictor "nearest" "1.0"
option "neighbours" 1
predicts "load"
device "A \"large\" GPU" "cuda"
training "104 stencils, grouped" 2
score "absolute_accuracy" 0.1
score "penalty_weighted_accuracy" 1
features 3 2
feature "size" "points"
feature "density" ""
beside "value_bytes" "bytes" 4 8
classes 2
class "global"
class "local"
learned
range 1 125
range 0.1 1
scale 0.5 2
rows 2
0 1 0.1
1 125 1
)");
    CHECK(text == written(some_model()));
}

TEST_CASE("what a model file says is read as it was written") {
    const temporary_folder folder;
    model_description m = some_model();
    m.options = {{"a", true}, {"b", false}, {"c", 0.25}, {"d", std::string("two\nlines")}, {"e", std::int64_t{-7}}};
    write_model(folder / "deep/a.model", m, some_rows);
    model_file in = open_model(folder / "deep/a.model", "a.model", 3);
    CHECK(in.about.predictor == m.predictor);
    CHECK(in.about.version == m.version);
    CHECK((in.about.options == m.options));
    CHECK(in.about.predicts == m.predicts);
    CHECK(in.about.device == m.device);
    CHECK(in.about.backend == m.backend);
    CHECK(in.about.training == m.training);
    CHECK(in.about.rows == m.rows);
    CHECK(in.about.scores == m.scores);
    CHECK(in.about.features_version == 3);
    CHECK((in.about.features == m.features));
    CHECK((in.about.beside == m.beside));
    CHECK(in.about.classes == m.classes);
    CHECK(in.in.word("a range") == "range");
}

TEST_CASE("a file that is no model, or of another format, is refused first of all") {
    CHECK(refusal("PK\x03\x04") == "a.model:1:1: error: this is no model of gst; train the model again");
    CHECK(refusal("") ==
          "a.model:1:1: error: the model ends where a model should be: it was cut off; train the model again");
    CHECK(refusal("gst-model 1\nwhatever\n") ==
          "a.model:1:11: error: the model's format is 1, and this gst reads 2; train the model again");
}

TEST_CASE("a model file that was cut off or changed is refused wherever it was") {
    const std::string text = written(some_model());
    REQUIRE(refusal(text).empty());
    for (std::size_t length = 0; length < text.size(); ++length) {
        INFO(length);
        CHECK(!refusal(text.substr(0, length)).empty());
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        INFO(at);
        std::string other = text;
        other[at] = other[at] == '3' ? '4' : '3';
        CHECK(!refusal(other).empty());
    }
    CHECK(refusal(text.substr(0, text.size() - 9)).find("error: the model is cut off: it lacks its last line") !=
          std::string::npos);
    std::string other = text;
    other.replace(other.find("0 1 0.1"), 7, "1 1 0.1");
    CHECK(
        refusal(other).starts_with("a.model:23:1: error: the model is not as it was written: its digest is another; "));
    CHECK(refusal(text + "\n") == "a.model:24:1: error: the model goes on after its last line; copy the file again");
    std::string lines;
    for (const char c : text) {
        lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    CHECK(refusal(lines) == "a.model:1:12: error: the model's lines end in CR and LF, as gst does not write them; copy "
                            "the file again, as bytes and not as text");
}

TEST_CASE("a model of features as another gst computes them is refused") {
    CHECK(refusal(changed("features 3", "features 2")) ==
          "a.model:9:10: error: the model was trained on features as version 2 defines them, and this gst computes "
          "those of version 3; train the model again");
}

TEST_CASE("what stands in the wrong place of a model file is refused with its place") {
    const auto expect = [](const std::string& from, const std::string& to, const std::string& message) {
        INFO(message);
        CHECK(refusal(changed(from, to)).starts_with("a.model:" + message + "; train the model again"));
    };
    expect("predictor", "forest", "2:1: error: 'predictor' should be here");
    expect("\"nearest\"", "nearest", "2:11: error: the name of a predictor should be here, in quotes");
    expect("option \"neighbours\" 1", "option \"neighbours\" few",
           "3:21: error: the value of an option should be here, a number");
    expect("2\nscore", "-2\nscore",
           "6:34: error: the number of rows should be here, an integer from 0 to 9223372036854775807");
    expect("0.1\nscore", "good\nscore", "7:27: error: a score should be here, a number");
    expect("features 3 2", "features 3 3", "12:1: error: 'feature' should be here");
    expect("classes 2", "classes 1", "15:1: error: 'learned' should be here");
}

TEST_CASE("a model file that is not there, or cannot be written, is said to be so") {
    const temporary_folder folder;
    CHECK_THROWS_WITH(
        open_model(folder / "none.model", "none.model", 3),
        "error: cannot read 'none.model' (No such file or directory)\n  give the path of a model that gst "
        "has trained");
    folder.write("file", "");
    CHECK_THROWS_AS(write_model(folder / "file/a.model", some_model(), some_rows), machine_error);
}
