"""The figure: two straights and two half circles around the middle of a lab of 4.5 m x 4 m, driven
counter-clockwise. Points are complex numbers, x + iy, in metres from the middle.
"""

import cmath
from math import fmod, pi

STRAIGHT, RADIUS = 1.5, 1.2  # m
HALF = STRAIGHT + RADIUS * pi  # half a round, m
AHEAD = 0.4  # how far ahead we steer for, m


def position(state):
    return complex(state.pose.x - 2.25, state.pose.y - 2)


def place_of(point):
    """The place on the oval nearest to a point, in metres from the start of the lower straight."""
    other_half = point.real < 0 if abs(point.real) > STRAIGHT / 2 else point.imag > 0
    if other_half:
        return HALF + place_of(-point)
    if point.real <= STRAIGHT / 2:
        return point.real + STRAIGHT / 2
    return STRAIGHT + RADIUS * cmath.phase((point - STRAIGHT / 2) * 1j)


def point_at(place):
    place = fmod(place, 2 * HALF)
    if place >= HALF:
        return -point_at(place - HALF)
    if place < STRAIGHT:
        return complex(place - STRAIGHT / 2, -RADIUS)
    return STRAIGHT / 2 - RADIUS * 1j * cmath.exp(1j * (place - STRAIGHT) / RADIUS)


def follow_oval(own, others):
    """Speed (m/s) and curvature (1/m) that take a vehicle on, behind the vehicle in front.

    Up to 0.8 m/s; 0.6 s and 0.3 m behind the middle of the vehicle in front.
    """
    here = position(own)
    place = place_of(here)
    gaps = [fmod(place_of(position(other)) - place + 2 * HALF, 2 * HALF) for other in others]
    speed = max(0.0, min(0.8, (min(gaps, default=2 * HALF) - 0.3) / 0.6))
    # The arc that leaves along the heading and goes through the point that we steer for.
    way = (point_at(place + AHEAD) - here) * cmath.exp(-1j * own.pose.yaw)
    return speed, 2 * way.imag / abs(way) ** 2
