import type { RosCommandResult, RosLab } from './ros-lab.js';

/** The tools look for nodes themselves, since their daemon outlives a test, for so long, s. */
export const lookYourself = ['--no-daemon', '--spin-time', '3'] as const;

/** `ros2 lifecycle set` on a node. */
export function setState(lab: RosLab, node: string, transition: string): Promise<RosCommandResult> {
  return lab.ros2('lifecycle', 'set', node, transition, ...lookYourself);
}

/** Waits until a topic has a subscription, for example `ros2 topic echo`. */
export async function untilListened(lab: RosLab, topic: string): Promise<void> {
  for (;;) {
    const { output } = await lab.ros2('topic', 'info', topic, ...lookYourself);
    if (output.some((line) => /^Subscription count: [1-9]/.test(line))) return;
  }
}

/** Fields of an answer to `ros2 service call`, as Python prints them: `success=True, message='…'`. */
export async function callService(
  lab: RosLab,
  name: string,
  type: string,
  request = '{}',
): Promise<{ readonly success: boolean; readonly message: string }> {
  const { output } = await lab.ros2('service', 'call', name, type, request);
  const text = output.join('\n');
  const [, success, , message = ''] =
    /success=(True|False), message=(['"])(.*)\2\)/.exec(text) ?? [];
  if (success === undefined) throw new Error(`There is no answer of ${name} in: ${text}`);
  return { success: success === 'True', message };
}
