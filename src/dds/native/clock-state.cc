#include "clock-state.h"

#include <sys/timex.h>

#include <cerrno>
#include <cstring>

namespace hlc {

Napi::Object clock_state(Napi::Env env) {
  constexpr int64_t ns_per_us = 1000;
  timex state = {};  // modes = 0: nothing is set
  const int result = adjtimex(&state);
  if (result < 0) throw Napi::Error::New(env, std::strerror(errno));
  auto view = Napi::Object::New(env);
  view.Set("synchronised",
           Napi::Boolean::New(env, result != TIME_ERROR && (state.status & STA_UNSYNC) == 0));
  view.Set("maxErrorNs", Napi::BigInt::New(env, static_cast<int64_t>(state.maxerror) * ns_per_us));
  return view;
}

}  // namespace hlc
