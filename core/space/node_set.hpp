#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gst {

/// The nodes of one layer: the node of the base diagram that each stands for, and its state.
class node_set {
  public:
    explicit node_set(std::size_t width) : width_(width), words_((width + 63) / 64), table_(64, none) {}

    /// The node with this base and state (one number from each column, `hash` of all), made when it is new.
    std::uint32_t intern(std::uint32_t base, std::uint64_t hash, const double* const* columns, std::size_t lane);

    std::size_t size() const { return bases_.size(); }
    std::uint32_t base(std::size_t node) const { return bases_[node]; }
    /// The state's numbers, as many as the set is wide.
    void read_state(std::size_t node, double* to) const;

    std::size_t different_states() const;

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    bool holds(std::size_t node, const double* const* columns, std::size_t lane) const;
    void push_state(const double* const* columns, std::size_t lane);
    void grow();

    std::size_t width_;
    std::size_t words_; ///< of a node's mask
    std::vector<std::uint32_t> table_;
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint64_t> hashes_;
    // Most conditions are decided in most nodes, and their numbers 0: those are left out.
    std::vector<std::uint64_t> masks_;              ///< of each node: which numbers are not 0
    std::vector<const double*> begins_;             ///< of each node's numbers
    std::vector<std::unique_ptr<double[]>> pieces_; ///< that hold the numbers; they never move
    double* room_ = nullptr;                        ///< behind the last number …
    std::size_t left_ = 0;                          ///< … for so many more
};

} // namespace gst
