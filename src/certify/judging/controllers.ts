import { controllerSourceId } from '../../core/index.js';
import { judge, type CertificationReport, type CertificationSetting } from './report.js';
import type { Transcript } from './transcript.js';

/**
 * Judges each controller of a transcript by itself. Vehicles for which the same participant signed in
 * have one controller; a vehicle without a ready signal has one that did not appear.
 * @returns the reports in the order of the vehicles.
 */
export function judgeSeparately(
  transcript: Transcript,
  setting: CertificationSetting,
): CertificationReport[] {
  const groups: { readonly participants: Set<string>; readonly vehicleIds: number[] }[] = [];
  for (const vehicleId of transcript.vehicleIds) {
    const participants = participantsOf(transcript, vehicleId);
    const group = groups.find((one) => participants.some((each) => one.participants.has(each)));
    if (group === undefined) {
      groups.push({ participants: new Set(participants), vehicleIds: [vehicleId] });
      continue;
    }
    group.vehicleIds.push(vehicleId);
    for (const participant of participants) group.participants.add(participant);
  }
  return groups.map(({ vehicleIds }) => judge({ ...transcript, vehicleIds }, setting));
}

function participantsOf({ events }: Transcript, vehicleId: number): string[] {
  const source = controllerSourceId(vehicleId);
  return events.flatMap((event) =>
    event.kind === 'readySignal' && event.sourceId === source ? [event.participant] : [],
  );
}
