/*
 * The figure: two straights and two half circles around the middle of a lab of 4.5 m x 4 m, driven
 * counter-clockwise. Points are complex numbers, x + iy, in metres from the middle.
 */
#include <algorithm>
#include <cmath>
#include <complex>

#include "VehicleStateList.h"

using Point = std::complex<double>;
using namespace std::complex_literals;

/* A straight, a half circle, half a round, and how far ahead we steer for, m. */
static constexpr double straight = 1.5, radius = 1.2, half = straight + radius * M_PI, ahead = 0.4;

inline Point position(const VehicleState &v) { return {v.pose().x() - 2.25, v.pose().y() - 2.0}; }

/* The place on the oval nearest to a point, in metres from the start of the lower straight. */
inline double place_of(Point point) {
  bool other_half = std::abs(point.real()) > straight / 2 ? point.real() < 0 : point.imag() > 0;
  if (other_half) return half + place_of(-point);
  if (point.real() <= straight / 2) return point.real() + straight / 2;
  return straight + radius * std::arg((point - straight / 2) * 1i);
}

inline Point point_at(double place) {
  if (place >= 2 * half) return point_at(place - 2 * half);
  if (place >= half) return -point_at(place - half);
  if (place < straight) return {place - straight / 2, -radius};
  return straight / 2 - radius * 1i * std::exp(1i * (place - straight) / radius);
}

/* How far the other vehicle is ahead, 0 to one round, m. */
inline double gap_between(const VehicleState &own, const VehicleState &other) {
  return std::fmod(place_of(position(other)) - place_of(position(own)) + 2 * half, 2 * half);
}

/* Up to 0.8 m/s; 0.6 s and 0.3 m behind the middle of the vehicle in front. */
inline double speed_for(double gap) { return std::clamp((gap - 0.3) / 0.6, 0.0, 0.8); }

/* The arc that leaves along the heading and goes through the point that we steer for, 1/m. */
inline double curvature_for(const VehicleState &own) {
  Point here = position(own);
  Point way = (point_at(place_of(here) + ahead) - here) * std::exp(-1i * own.pose().yaw());
  return 2 * way.imag() / std::norm(way);
}
