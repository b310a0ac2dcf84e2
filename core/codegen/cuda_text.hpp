#pragma once

/// What a module in CUDA C++ has above its kernels where they use it: the text of functions and types (dialect words
/// "uses …").
namespace gst::cuda_text {

extern const char* const half_arithmetic;
extern const char* const stored_halves;
extern const char* const vectors;
extern const char* const whole_vector_loads;
extern const char* const streaming_stores;
extern const char* const asynchronous_copies;
extern const char* const barriers_in_halves;
extern const char* const numbered_barriers;
extern const char* const tensors;
extern const char* const phases;
extern const char* const renewed_values;
extern const char* const negation;
extern const char* const roots_of_normal_f64;
extern const char* const f64_images;

} // namespace gst::cuda_text
