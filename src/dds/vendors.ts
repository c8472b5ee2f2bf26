/**
 * Makers of DDS libraries by their vendor id (OMG DDSI-RTPS 2.5, section 8.3.5.5), with which the
 * GUID prefix of a participant begins (section 8.2.4.1).
 */
const vendors: Readonly<Record<string, string>> = {
  '0101': 'RTI Connext',
  '0102': 'OpenSplice',
  '0103': 'OpenDDS',
  '0106': 'CoreDX',
  '010a': 'RTI Connext Micro',
  '010f': 'Fast DDS',
  '0110': 'Cyclone DDS',
};

/** Who made the DDS library of a participant, as far as its GUID prefix (hex digits) tells. */
export function vendorOf(guidPrefix: string): string {
  const id = guidPrefix.slice(0, 4);
  return vendors[id] ?? `vendor 0x${id}`;
}
