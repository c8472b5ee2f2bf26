/** A command line, and what ROS 2 has in it. */
export interface SplitArguments {
  /** The arguments of this program. */
  readonly own: readonly string[];
  /** What stands after each `--ros-args`, up to `--` or the end, with one `--ros-args` before it. */
  readonly ros: readonly string[];
}

/** Takes the arguments for ROS 2 out of a command line, as rcl does. */
export function splitArguments(argv: readonly string[]): SplitArguments {
  const own: string[] = [];
  const ros: string[] = [];
  let inRos = false;
  for (const argument of argv) {
    if (argument === '--ros-args') inRos = true;
    else if (inRos && argument === '--') inRos = false;
    else (inRos ? ros : own).push(argument);
  }
  return { own, ros: ros.length === 0 ? [] : ['--ros-args', ...ros] };
}

const parameterArguments = ['-p', '--param', '--params-file'];

/**
 * What of the arguments for ROS 2 is left for rcl: all but parameters, which this program reads itself.
 * (rclnodejs 2.2 throws on a parameter with a list of integers.)
 * @param ros from `--ros-args` on.
 */
export function withoutParameters(ros: readonly string[]): readonly string[] {
  const isParameter = (argument: string | undefined): boolean =>
    argument !== undefined && parameterArguments.includes(argument);
  const left = ros.filter(
    (argument, index) => !isParameter(argument) && !isParameter(ros[index - 1]),
  );
  return left.length > 1 ? left : [];
}
