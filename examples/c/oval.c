/*
 * The figure: two straights and two half circles around the middle of a lab of 4.5 m x 4 m, driven
 * counter-clockwise. Points are complex numbers, x + iy, in metres from the middle.
 */
#include "oval.h"

#include <complex.h>
#include <math.h>

/* A straight, a half circle, half a round, and how far ahead we steer for, m. */
static const double straight = 1.5, radius = 1.2, half = 1.5 + 1.2 * 3.141592653589793, ahead = 0.4;

/* Up to 0.8 m/s; 0.6 s and 0.3 m behind the middle of the vehicle in front. */
static double speed_for(double gap) { return fmax(0, fmin(0.8, (gap - 0.3) / 0.6)); }

static double complex position(const VehicleState *vehicle) {
  return vehicle->pose.x - 2.25 + (vehicle->pose.y - 2.0) * I;
}

/* The place on the oval nearest to a point, in metres from the start of the lower straight. */
static double place_of(double complex point) {
  int other_half = fabs(creal(point)) > straight / 2 ? creal(point) < 0 : cimag(point) > 0;
  if (other_half) return half + place_of(-point);
  if (creal(point) <= straight / 2) return creal(point) + straight / 2;
  return straight + radius * carg((point - straight / 2) * I);
}

static double complex point_at(double place) {
  if (place >= 2 * half) return point_at(place - 2 * half);
  if (place >= half) return -point_at(place - half);
  if (place < straight) return place - straight / 2 - radius * I;
  return straight / 2 - radius * I * cexp(I * (place - straight) / radius);
}

VehicleCommandSpeedCurvature follow_oval(const VehicleStateList *list, uint8_t vehicle_id) {
  TimeStamp now = { list->t_now };
  VehicleCommandSpeedCurvature command = { .vehicle_id = vehicle_id, .header = { now, now } };
  const VehicleState *first = list->state_list._buffer, *end = first + list->state_list._length;
  const VehicleState *own = first;
  while (own < end && own->vehicle_id != vehicle_id) own++;
  if (own == end || own->header.create_stamp.nanoseconds == 0) return command;

  double place = place_of(position(own)), gap = 2 * half;
  for (const VehicleState *other = first; other < end; other++)
    if (other != own && other->header.create_stamp.nanoseconds > 0)
      gap = fmin(gap, fmod(place_of(position(other)) - place + 2 * half, 2 * half));
  command.speed = speed_for(gap);

  /* The arc that leaves along the heading and goes through the point that we steer for. */
  double complex way = (point_at(place + ahead) - position(own)) * cexp(-I * own->pose.yaw);
  command.curvature = 2 * cimag(way) / pow(cabs(way), 2);
  return command;
}
