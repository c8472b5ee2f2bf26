import { clamp, printable } from '../../../core/index.js';
import { Refusal } from '../../refusal.js';
import { IniText, iniBoolean, iniNumber } from './ini.js';

/** Where a sensor is on the vehicle: metres and degrees, axes of CARLA (x front, y right, z up). */
export interface SensorPose {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly roll: number;
}

interface SensorBase {
  /** 1 or more, each once in an episode. */
  readonly id: number;
  readonly name: string;
  readonly pose: SensorPose;
}

/** What a camera shows, with the numbers of the wire as index. */
export const imageTypes = ['None', 'SceneFinal', 'Depth', 'SemanticSegmentation'] as const;

/** A camera as the client asks for it. */
export interface CameraSettings extends SensorBase {
  readonly kind: 'camera';
  readonly image: (typeof imageTypes)[number];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Horizontal field of view, degrees, 1 to 179. */
  readonly fov: number;
}

/** A lidar as the client asks for it. */
export interface LidarSettings extends SensorBase {
  readonly kind: 'lidar';
  /** Lasers, from the upper to the lower limit. */
  readonly channels: number;
  /** Metres. */
  readonly range: number;
  /** Of all channels. */
  readonly pointsPerSecond: number;
  /** Turns per second. */
  readonly rotationFrequency: number;
  /** Degrees above the horizon. */
  readonly upperFov: number;
  readonly lowerFov: number;
}

export type SensorSettings = CameraSettings | LidarSettings;

/** What the settings of a client mean for an episode. */
export interface EpisodeSettings {
  /** The server waits for the control of every frame. */
  readonly synchronous: boolean;
  readonly sendsAgents: boolean;
  readonly sensors: readonly SensorSettings[];
  /** One sentence for each part of the settings without effect. */
  readonly warnings: readonly string[];
}

/** Before the first settings of a client. */
export const defaultSettings: EpisodeSettings = {
  synchronous: true,
  sendsAgents: false,
  sensors: [],
  warnings: [],
};

const mostSensors = 32;
const longestName = 256;
/** Of all cameras: eight of 1920 × 1080 pixels fit. The gateway holds all images of a frame, 4 bytes a pixel. */
const mostPixels = 4096 * 4096;
const mostChannels = 1024;
/** Of all lidars. */
const mostPointsPerSecond = 10_000_000;
const serverSection = 'CARLA/Server';
const sensorSection = 'CARLA/Sensor';

/**
 * Reads the settings that a client sends with a request for an episode. A key that is absent keeps
 * its value of the episode before, except that of sensors, as in CARLA.
 * @throws Refusal for sensors beyond the bounds of the gateway.
 */
export function parseSettings(
  text: string,
  previous: EpisodeSettings = defaultSettings,
): EpisodeSettings {
  const ini = new IniText(text);
  const warnings: string[] = [];
  const server = (key: string, otherwise: boolean) => {
    const value = ini.value(serverSection, key);
    return value === undefined ? otherwise : iniBoolean(value);
  };
  const names = (ini.value(sensorSection, 'Sensors') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > mostSensors) {
    throw new Refusal(`${names.length} sensors are more than ${mostSensors}`);
  }
  const sensors: SensorSettings[] = [];
  for (const name of names) {
    if (name.length > longestName) {
      throw new Refusal(`the name of a sensor has more than ${longestName} characters`);
    }
    const sensor = sensorOf(ini, name, sensors.length + 1);
    if (sensor === null) warnings.push(`Sensor "${printable(name)}" has no type that exists.`);
    else sensors.push(sensor);
  }
  checkSums(sensors);
  return {
    synchronous: server('SynchronousMode', previous.synchronous),
    sendsAgents: server('SendNonPlayerAgentsInfo', previous.sendsAgents),
    sensors,
    warnings,
  };
}

/** @throws Refusal when the sensors of an episode are more than the gateway serves. */
function checkSums(sensors: readonly SensorSettings[]): void {
  let pixels = 0;
  let pointsPerSecond = 0;
  for (const sensor of sensors) {
    const to = `up to sensor "${printable(sensor.name)}"`;
    if (sensor.kind === 'camera') pixels += sensor.width * sensor.height;
    else pointsPerSecond += sensor.pointsPerSecond;
    if (pixels > mostPixels) {
      throw new Refusal(`its images ${to} have ${pixels} pixels, more than ${mostPixels}`);
    }
    if (pointsPerSecond > mostPointsPerSecond) {
      throw new Refusal(
        `its lidars ${to} have ${pointsPerSecond} points per second, more than ${mostPointsPerSecond}`,
      );
    }
  }
}

function sensorOf(ini: IniText, name: string, id: number): SensorSettings | null {
  // A sensor "front/depth" has the values of "front", unless it has its own.
  const parts = name.split('/');
  const sections = parts
    .map((_, index) => [sensorSection, ...parts.slice(0, parts.length - index)].join('/'))
    .concat(sensorSection);
  const text = (key: string) => {
    const section = sections.find((one) => ini.value(one, key) !== undefined);
    return section === undefined ? undefined : ini.value(section, key);
  };
  const number = (key: string, otherwise: number) => {
    const value = text(key);
    return value === undefined ? otherwise : iniNumber(value);
  };
  const pose = {
    x: number('PositionX', 0.2),
    y: number('PositionY', 0),
    z: number('PositionZ', 1.3),
    pitch: number('RotationPitch', 0),
    yaw: number('RotationYaw', 0),
    roll: number('RotationRoll', 0),
  };
  const whole = (key: string, otherwise: number, most: number) => {
    // CARLA takes 0 for the default, and keeps the default when the number is no uint32.
    const value = Math.trunc(number(key, otherwise));
    if (value > most) {
      throw new Refusal(`${key} of sensor "${printable(name)}" is more than ${most}`);
    }
    return value <= 0 ? otherwise : value;
  };
  switch (text('SensorType')) {
    case 'CAMERA': {
      const width = whole('ImageSizeX', 720, mostPixels);
      const height = whole('ImageSizeY', 512, mostPixels);
      const wanted = (text('PostProcessing') ?? 'SceneFinal').toLowerCase();
      const image = imageTypes.find((one) => one.toLowerCase() === wanted) ?? 'None';
      const fov = clamp(number('FOV', 90), 1, 179);
      return { kind: 'camera', id, name, pose, image, width, height, fov };
    }
    case 'LIDAR_RAY_CAST': {
      const upperFov = clamp(number('UpperFovLimit', 10), -89.9, 90);
      return {
        kind: 'lidar',
        id,
        name,
        pose,
        channels: whole('Channels', 32, mostChannels),
        range: clamp(number('Range', 50), 0.001, 500),
        pointsPerSecond: whole('PointsPerSecond', 56_000, mostPointsPerSecond),
        rotationFrequency: clamp(number('RotationFrequency', 10), 0.001, 50_000),
        upperFov,
        lowerFov: clamp(number('LowerFovLimit', -30), -90, upperFov),
      };
    }
    default:
      return null;
  }
}
