import { expect, it } from 'vitest';
import type { ReaderListener } from '../../../../src/ports/index.js';
import { NodeAnnouncement } from '../../../../src/ros2/on-dds/node-announcement.js';
import { encodeParticipantEntities } from '../../../../src/ros2/on-dds/participant-entities.js';

const node = { name: 'middleware', namespace: '/' };
const guid = (digit: string) => digit.repeat(32);

it('reports a node with the same name once, whatever participants its writer names', () => {
  let listener: ReaderListener | undefined;
  const errors: string[] = [];
  const side = {
    guid: guid('0'),
    createWriter: () => ({ write: () => undefined }),
    createReader: (_: unknown, __: unknown, given: ReaderListener) => (listener = given),
  };
  new NodeAnnouncement(side as never, node, ({ code }) => errors.push(code));
  const announce = (writer: string, participant: string) => {
    const nodes = [{ ...node, readers: [], writers: [] }];
    const bytes = encodeParticipantEntities({ participant: guid(participant), nodes });
    listener?.onSample({ bytes, writer: { guid: guid(writer), reliable: true } } as never);
  };
  for (const participant of ['1', '2', '3']) announce('a', participant);
  expect(errors).toEqual(['HLC_ROS_NODE_TWICE']);
  announce('b', '1');
  expect(errors).toHaveLength(2);
});
