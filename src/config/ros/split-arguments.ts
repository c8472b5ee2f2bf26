/** A command line, and what ROS 2 has in it. */
export interface SplitArguments {
  /** The arguments of this program. */
  readonly own: readonly string[];
  /** What stands after each `--ros-args`, up to `--` or the end, with one `--ros-args` before it. */
  readonly ros: readonly string[];
}

/** Takes the arguments for ROS 2 out of a command line, as rcl does. */
export const splitArguments = (argv: readonly string[]): SplitArguments => {
  const own: string[] = [];
  const ros: string[] = [];
  let inRos = false;
  for (const argument of argv) {
    if (argument === '--ros-args') inRos = true;
    else if (inRos && argument === '--') inRos = false;
    else (inRos ? ros : own).push(argument);
  }
  return { own, ros: ros.length === 0 ? [] : ['--ros-args', ...ros] };
};
