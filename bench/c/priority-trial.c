/* Ends with code 0 when this user may use --realtime-priority, else prints the reason. */
#include "priority.h"

int main(int argc, char **argv) {
  take_priority(argc, argv);
  return 0;
}
