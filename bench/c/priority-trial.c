/* Ends with code 0 when this user may have --realtime-priority, and else says why not. */
#include "priority.h"

int main(int argc, char **argv) {
  take_priority(argc, argv);
  return 0;
}
