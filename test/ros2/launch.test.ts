import { expect, it } from 'vitest';
import { runOptionKeys } from '../../src/config/options/run-options.js';
import type { ChildProgram } from '../support/child-program.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

/** The launch file in all its forms; in XML it includes the one in Python. */
const forms = ['middleware.launch.py', 'middleware.launch.xml'];
const program = /^\[hlc-middleware-\d+\] /;

describeWithRos2('the launch files', () => {
  it.each(forms)('%s has every flag as an argument', async (file) => {
    const { output } = await openRosLab().ros2('launch', 'hlc_middleware', file, '--show-args');
    const found = output.flatMap((line) => /^ {4}'(\w+)':$/.exec(line)?.slice(1) ?? []);
    const flags = runOptionKeys.map((key) => key.replaceAll(/[A-Z]/g, '_$&').toLowerCase());
    expect(found).toEqual(['name', 'namespace', 'params_file', 'required', ...flags]);
  });

  it.each(forms)('%s starts a node with its arguments, and ends it cleanly', async (file) => {
    const lab = openRosLab();
    const launch = lab.launch(
      file,
      ...['vehicle_ids:=3,4', 'period_ms:=40', 'wait_for_start:=false', 'control_socket:=off'],
      ...['namespace:=lab', 'name:=mw', 'dds_domain:=0', 'node_id:=test'],
    );
    const started = await launch.stdout.until((line) => line.includes('"vehicle_ids":[3,4]'));
    expect(JSON.parse(started.replace(program, ''))).toMatchObject({
      node: 'test',
      period_ms: 40,
      lab_domain: 0,
      controller_domain: lab.controllerDomain,
    });
    const { output } = await lab.ros2('node', 'list', '--no-daemon', '--spin-time', '3');
    expect(output).toContain('/lab/mw');
    // Without a terminal the launch hands its signal on to what it started.
    process.kill(launch.pid ?? 0, 'SIGINT');
    await launch.stdout.until((line) => /^\[hlc-middleware-1\] start signals +0,/.test(line));
    await launch.ended;
    expect(failuresIn(launch)).toEqual([]);
    expect(launch.stdout.items.join('\n')).toContain(
      '[hlc-middleware-1]: process has finished cleanly',
    );
  });

  it.each([
    ['hlc_controller_python', 'true'],
    ['hlc_controller_python', 'false'],
    ['hlc_controller_cpp', 'true'],
  ])(
    'demo.launch.py with %s and simulated_time:=%s ends with Ctrl-C, all of it cleanly',
    async (controllers, simulated) => {
      const lab = openRosLab();
      const launch = lab.launch(
        'demo.launch.py',
        ...[`controllers:=${controllers}`, `simulated_time:=${simulated}`],
      );
      await launch.stdout.until((line) => line.includes('all controllers are ready'));
      // As a terminal does: all processes get it, and those that "ros2 launch" started get another one.
      launch.signal('SIGINT');
      await launch.ended;
      expect(failuresIn(launch)).toEqual([]);
      const clean = launch.stdout.items.filter((line) => line.includes('finished cleanly'));
      expect(clean).toHaveLength(4);
    },
  );

  it.each(['hlc_controller_python', 'hlc_controller_cpp'])(
    'demo.launch.py drives vehicles in real time with %s, and ends by itself',
    async (controllers) => {
      const lab = openRosLab();
      const launch = lab.launch(
        'demo.launch.py',
        ...[`controllers:=${controllers}`, 'vehicle_ids:=1,2', 'period_ms:=50', 'periods:=100'],
      );
      await launch.ended;
      expect(failuresIn(launch)).toEqual([]);
      const reported = summaryOf(launch.stdout.items);
      expect(reported.get('start signals')).toMatch(/^100,/);
      for (const vehicle of [1, 2]) {
        const replies = Number(/^\d+/.exec(reported.get(`controller ${vehicle}`) ?? '')?.[0]);
        expect(replies).toBeGreaterThan(50);
        expect(metresOf(reported, vehicle)).toBeGreaterThan(0.5);
      }
    },
  );

  it.each([
    ['hlc_controller_python', 'dds'],
    ['hlc_controller_cpp', 'dds'],
    ['hlc_controller_python', 'ros2'],
  ])(
    'demo.launch.py drives vehicles in simulated time with %s and lab_naming:=%s, and loses no reply',
    async (controllers, naming) => {
      const lab = openRosLab();
      const launch = lab.launch(
        'demo.launch.py',
        ...[`controllers:=${controllers}`, 'vehicle_ids:=1,2', 'period_ms:=50', 'periods:=200'],
        ...['simulated_time:=true', `lab_naming:=${naming}`],
      );
      await launch.ended;
      expect(failuresIn(launch)).toEqual([]);
      const reported = summaryOf(launch.stdout.items);
      expect(reported.get('periods')).toBe('200 (0 skipped)');
      expect(reported.get('commands forwarded')).toMatch(/^400 /);
      for (const vehicle of [1, 2]) {
        expect(reported.get(`controller ${vehicle}`)).toMatch(/^200 replies, 0 misses/);
        expect(metresOf(reported, vehicle)).toBeGreaterThan(2);
      }
    },
  );
});

/**
 * All lines where a program failed: its own words come before what "ros2 launch" says of it. Tracebacks
 * count where they are of a program; Python can report that it ignores a Ctrl-C to "ros2 launch" itself.
 */
function failuresIn({ stdout, stderr }: ChildProgram): string[] {
  const lines = [...stdout.items, ...stderr.items];
  const failure = /process has died|\[ERROR\]|^\[\S+-\d+\] Traceback/;
  return lines.some((line) => failure.test(line)) ? lines : [];
}

/** What the middleware prints at its end, by the first words of its lines. */
function summaryOf(lines: readonly string[]): Map<string, string> {
  const own = lines.filter((line) => program.test(line));
  return new Map(
    own.flatMap((line) => {
      const [, what, text] = /^(\S+(?: \S+)*) {2,}(.*)$/.exec(line.replace(program, '')) ?? [];
      return what === undefined || text === undefined ? [] : [[what, text] as const];
    }),
  );
}

function metresOf(reported: ReadonlyMap<string, string>, vehicle: number): number {
  return Number(/^drove ([\d.]+) m$/.exec(reported.get(`vehicle ${vehicle}`) ?? '')?.[1]);
}
