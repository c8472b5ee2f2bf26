import { describe, expect, it } from 'vitest';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { runMiddleware } from '../../support/middleware.js';

/** A number that makes a participant the only one of its domain on this machine. */
const onlyOne =
  '<CycloneDDS><Domain Id="any"><Discovery><ParticipantIndex>0</ParticipantIndex></Discovery></Domain></CycloneDDS>';

/** Runs the middleware without a sourced ROS 2; it is to say one sentence on standard error, and nothing else. */
async function refusal(uri: string, ...flags: string[]) {
  const program = runMiddleware(uri, ['--period-ms=50', ...flags], {
    through: ['env', '--unset=ROS_DISTRO'],
  });
  const { code } = await program.ended;
  expect(program.stdout.items).toEqual([]);
  expect(program.stderr.items).toHaveLength(1);
  return { code, sentence: program.stderr.items[0] };
}

describe('the middleware', () => {
  it.each([
    ['--perod-ms=50', /--perod-ms=50; did you mean --period-ms/],
    ['--offset-nanoseconds=1.5', /"1.5" of --offset-nanoseconds/],
    ['--vehicle-ids=1,256', /"1,256" of --vehicle-ids.*0 to 255/],
    ['--domain-number=233', /"233" of --domain-number.*0 to 232/],
    ['--domain-number=0', /both on DDS domain 0/],
  ])('refuses %s with exit code 2 and one sentence', async (flag, sentence) => {
    const refused = await refusal(isolatedCycloneUri(), flag);
    expect(refused.code).toBe(2);
    expect(refused.sentence).toMatch(/^hlc-middleware: .*\. \[HLC_CONFIG_\w+\]$/);
    expect(refused.sentence).toMatch(sentence);
  });

  it('refuses ROS 2 with exit code 2 and one sentence where none is sourced', async () => {
    const refused = await refusal(isolatedCycloneUri(), '--transport=ros2');
    expect(refused.code).toBe(2);
    expect(refused.sentence).toMatch(
      /^hlc-middleware: ROS 2 cannot be used .*\. \[HLC_ROS_UNAVAILABLE\]$/,
    );
  });

  it.each([
    [{ RMW_IMPLEMENTATION: 'rmw_zenoh_cpp' }, 'rmw_zenoh_cpp is no DDS'],
    [{ ROS_SECURITY_ENABLE: 'true' }, 'ROS_SECURITY_ENABLE is true'],
  ])(
    'refuses controllers in ROS 2 that cannot be distinguished with %j',
    async (variables, cause) => {
      const flags = ['--period-ms=50', '--controller-transport=ros2'];
      const program = runMiddleware(isolatedCycloneUri(), flags, { variables });
      expect((await program.ended).code).toBe(2);
      expect(program.stderr.items).toEqual([
        expect.stringMatching(
          new RegExp(`\\(${cause}\\).*--ros-identity=none\\. \\[HLC_ROS_IDENTITY\\]$`),
        ),
      ]);
    },
  );

  it.each([
    ['there is no such interface', '', '--interface=nosuch0', /"nosuch0" \(nosuch0: .*\)/],
    ['CYCLONEDDS_URI is no XML', '<CycloneDDS><Domain', '--interface=lo', /parser error/],
    [
      'CYCLONEDDS_URI names another interface that does not exist',
      '<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="nosuch1"/></Interfaces></General></Domain></CycloneDDS>',
      '--interface=lo',
      /\(nosuch1: .*\)/,
    ],
    [
      'CYCLONEDDS_URI names a file that does not exist',
      'file:///no/such/file.xml',
      '--interface=lo',
      /\/no\/such\/file\.xml/,
    ],
  ])('ends with exit code 1 and one sentence when %s', async (_, uri, flag, sentence) => {
    const refused = await refusal(uri, flag);
    expect(refused.code).toBe(1);
    expect(refused.sentence).toMatch(/^hlc-middleware: DDS domain 0 .*\. \[HLC_DDS_DOMAIN\]$/);
    expect(refused.sentence).toMatch(sentence);
  });

  it('ends with exit code 1 and one sentence when a domain has no place for it', async () => {
    const uri = `${isolatedCycloneUri()},${onlyOne}`;
    const domains = ['--dds-domain=77', '--domain-number=78'];
    const first = runMiddleware(uri, ['--period-ms=50', ...domains]);
    await first.stderr.until((line) => line.includes('waiting for controllers'));
    const refused = await refusal(uri, '--domain-number=77', '--dds-domain=79');
    expect(refused.code).toBe(1);
    expect(refused.sentence).toMatch(/^hlc-middleware: DDS domain 77 .*\. \[HLC_DDS_DOMAIN\]$/);
  });
});
