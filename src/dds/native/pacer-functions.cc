// The functions of a pacer that src/dds/native.ts declares.

#include "pacer-functions.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"
#include "little-endian.h"
#include "pacer.h"

namespace hlc {

namespace {

Pacer& pacer(const Napi::CallbackInfo& info) {
  Pacer* found = context(info).pacer(integer(info, 0));
  if (found == nullptr) throw Napi::Error::New(info.Env(), "the pacer is closed");
  return *found;
}

Napi::Value create(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), context(info).create_pacer());
}

void close(const Napi::CallbackInfo& info) { context(info).close_pacer(integer(info, 0)); }

void arm(const Napi::CallbackInfo& info) { pacer(info).arm(nanoseconds(info, 1)); }

void disarm(const Napi::CallbackInfo& info) { pacer(info).disarm(); }

std::vector<uint8_t> copied(const Napi::Uint8Array& bytes) {
  return {bytes.Data(), bytes.Data() + bytes.ByteLength()};
}

/** The place of eight bytes within a sample. */
size_t place(const Napi::CallbackInfo& info, int64_t offset, size_t sample_bytes) {
  if (offset < 0 || sample_bytes < u64_bytes ||
      static_cast<uint64_t>(offset) > sample_bytes - u64_bytes) {
    throw Napi::RangeError::New(info.Env(), "eight bytes lie outside of the sample");
  }
  return static_cast<size_t>(offset);
}

void schedule(const Napi::CallbackInfo& info) {
  constexpr size_t times_of_plan = 5;
  TimedPlan plan;
  plan.writer = integer(info, 1);
  plan.bytes = copied(bytes(info, 2));
  plan.patch_offset = place(info, integer(info, 3), plan.bytes.size());
  const auto times = integers(info, 4);
  if (times.ElementLength() != times_of_plan) {
    throw Napi::RangeError::New(info.Env(), "a plan has five times");
  }
  plan.id = integer(info, 5);
  plan.slot = {integer(info, 6), times[0], times[1], static_cast<uint64_t>(times[2])};
  plan.repeats = {integer(info, 7), times[3], times[4]};
  // It may go out at once, and what was forwarded before must precede it.
  context(info).send_unsent();
  pacer(info).schedule(std::move(plan));
}

Napi::Value last_slot_index(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(pacer(info).last_index()));
}

void cancel(const Napi::CallbackInfo& info) { pacer(info).cancel(); }

/** Writer, bytes, places, floor and offset of the clock, from `index` on. */
StampedSample stamped_sample(const Napi::CallbackInfo& info, size_t index) {
  constexpr size_t numbers_per_place = 3;
  std::vector<uint8_t> sample = copied(bytes(info, index + 1));
  if (sample.size() > max_stamped_bytes) {
    throw Napi::RangeError::New(info.Env(), "a sample of an emergency has at most 64 KiB");
  }
  const auto numbers = integers(info, index + 2);
  std::vector<StampPlace> places;
  for (size_t i = 0; i + numbers_per_place <= numbers.ElementLength(); i += numbers_per_place) {
    const int64_t* next = numbers.Data() + i;
    places.push_back({place(info, next[0], sample.size()), next[1], next[2] != 0});
  }
  return {integer(info, index), std::move(sample), std::move(places), nanoseconds(info, index + 3),
          nanoseconds(info, index + 4)};
}

void set_emergency_sample(const Napi::CallbackInfo& info) {
  const auto occasion = static_cast<Occasion>(integer(info, 7));
  pacer(info).set_emergency_sample(integer(info, 1), stamped_sample(info, 2), occasion);
}

void remove_emergency_sample(const Napi::CallbackInfo& info) {
  pacer(info).remove_emergency_sample(integer(info, 1));
}

void set_emergency_time(const Napi::CallbackInfo& info) {
  pacer(info).set_emergency_time(nanoseconds(info, 1));
}

Napi::Value stop(const Napi::CallbackInfo& info) {
  const Occasion occasion = info[3].ToBoolean() ? Occasion::at_once : Occasion::after_suspension;
  const uint32_t written =
      pacer(info).emergency_stop(duration(info, 1), duration(info, 2), occasion);
  return Napi::Number::New(info.Env(), written);
}

void arm_hang_guard(const Napi::CallbackInfo& info) {
  const bool watch_only = info[4].ToBoolean();
  const bool guarded = info[5].ToBoolean();
  pacer(info).arm_hang_guard(
      {duration(info, 1), duration(info, 2), duration(info, 3), watch_only, guarded});
}

void beat(const Napi::CallbackInfo& info) { pacer(info).beat(); }

Napi::Value unseen_hang(const Napi::CallbackInfo& info) {
  const auto silent_ns = pacer(info).unseen_hang_ns();
  if (!silent_ns) return info.Env().Undefined();
  return Napi::BigInt::New(info.Env(), *silent_ns);
}

Napi::Value stall(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(pacer(info).stall()));
}

Napi::Value hang_seen(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), pacer(info).hang_seen());
}

/** An interval of 0 would leave the thread no rest. */
int64_t interval(const Napi::CallbackInfo& info, size_t index) {
  const int64_t ns = duration(info, index);
  if (ns == 0) throw Napi::RangeError::New(info.Env(), "an interval is longer than 0");
  return ns;
}

void set_ramp(const Napi::CallbackInfo& info) {
  StopRamp ramp{stamped_sample(info, 2)};
  ramp.speed_offset = place(info, integer(info, 7), bytes(info, 3).ByteLength());
  ramp.speed = number(info, 8);
  ramp.deceleration = number(info, 9);
  if (!std::isfinite(ramp.speed) || !(ramp.deceleration > 0)) {
    throw Napi::RangeError::New(info.Env(), "the speed does not go to 0");
  }
  const RampTimes times{duration(info, 10), interval(info, 11), duration(info, 12)};
  pacer(info).set_ramp(integer(info, 1), std::move(ramp), times);
}

void remove_ramp(const Napi::CallbackInfo& info) { pacer(info).remove_ramp(integer(info, 1)); }

void set_beacon(const Napi::CallbackInfo& info) {
  pacer(info).set_beacon(stamped_sample(info, 2), interval(info, 1));
}

void remove_beacon(const Napi::CallbackInfo& info) { pacer(info).remove_beacon(); }

void feed_watchdog(const Napi::CallbackInfo& info) {
  auto socket = std::make_unique<ServiceSocket>(text(info, 1));
  pacer(info).feed_watchdog(std::move(socket), interval(info, 2));
}

}  // namespace

void export_pacer_functions(Napi::Object& exports) {
  const auto method = [&](const char* name, auto function) {
    exports.Set(name, Napi::Function::New(exports.Env(), function, name));
  };
  method("createPacer", create);
  method("closePacer", close);
  method("armPacer", arm);
  method("disarmPacer", disarm);
  method("schedule", schedule);
  method("lastSlotIndex", last_slot_index);
  method("cancelSchedule", cancel);
  method("setEmergencySample", set_emergency_sample);
  method("removeEmergencySample", remove_emergency_sample);
  method("setEmergencyTime", set_emergency_time);
  method("setRamp", set_ramp);
  method("removeRamp", remove_ramp);
  method("emergencyStop", stop);
  method("armHangGuard", arm_hang_guard);
  method("beat", beat);
  method("unseenHang", unseen_hang);
  method("stall", stall);
  method("hangSeen", hang_seen);
  method("setBeacon", set_beacon);
  method("removeBeacon", remove_beacon);
  method("feedWatchdog", feed_watchdog);
}

}  // namespace hlc
