import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainConfig, type DomainNetwork } from '../../../src/dds/domain-config.js';

const network: DomainNetwork = { domainId: 3, networkInterface: 'lo', initialPeers: [] };
const noFiles = () => {
  throw new Error('there is no file');
};

function config(changes: Partial<DomainNetwork> = {}, uri?: string, readFile = noFiles): string {
  return domainConfig({ ...network, ...changes }, uri, readFile).xml;
}

const interfaces = '<Interfaces><NetworkInterface name="lo"/></Interfaces>';
const others = '<Interfaces><NetworkInterface name="eth7"/></Interfaces>';
const peers = '<Peers><Peer Address="127.0.0.1"/></Peers>';

describe('the network settings of a domain', () => {
  it('are loopback, no multicast, this machine as peer, and room for many participants', () => {
    expect(config()).toBe(
      '<CycloneDDS><Domain Id="3">' +
        `<General>${interfaces}<AllowMulticast>false</AllowMulticast></General>` +
        '<Discovery><ParticipantIndex>auto</ParticipantIndex>' +
        `<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>${peers}</Discovery>` +
        '<Internal><HeartbeatInterval>20 ms</HeartbeatInterval><NackDelay>10 ms</NackDelay>' +
        '<MaxSampleSize>4194304 B</MaxSampleSize></Internal>' +
        '<Tracing><Category>discovery</Category><OutputFile>/dev/null</OutputFile></Tracing>' +
        '</Domain></CycloneDDS>',
    );
    expect(config({}, '')).toBe(config());
  });

  it('name another interface by its name or its address, and leave multicast to Cyclone there', () => {
    expect(config({ networkInterface: 'eth0' })).toContain('<NetworkInterface name="eth0"/>');
    expect(config({ networkInterface: '192.0.2.5' })).toContain('address="192.0.2.5"');
    expect(config({ networkInterface: '2001:db8::5' })).toContain('address="2001:db8::5"');
    expect(config({ networkInterface: 'eth0' })).toContain('<AllowMulticast>default<');
    expect(config({ networkInterface: 'eth0', multicast: false })).toContain('Multicast>false<');
    expect(config({ networkInterface: '127.0.0.1', multicast: true })).toContain(
      'Multicast>false<',
    );
  });

  it('are loopback and a card, no multicast, and kept by the kernel, for this machine only', () => {
    const local = { ...network, networkInterface: '192.0.2.5', thisMachineOnly: true };
    const { xml, thisMachineOnly } = domainConfig(local, undefined);
    expect(xml).toContain(
      '<Interfaces><NetworkInterface name="lo"/><NetworkInterface address="192.0.2.5"/></Interfaces>' +
        '<AllowMulticast>false</AllowMulticast>',
    );
    expect(thisMachineOnly).toBe(true);
    expect(domainConfig(network, undefined).thisMachineOnly).toBe(false);
    const uri = `<CycloneDDS><Domain><General>${others}</General></Domain></CycloneDDS>`;
    expect(domainConfig(local, uri).thisMachineOnly).toBe(false);
  });

  it('list further peers after this machine', () => {
    expect(config({ initialPeers: ['192.0.2.1', 'nuc:7400'] })).toContain(
      '<Peers><Peer Address="127.0.0.1"/><Peer Address="192.0.2.1"/><Peer Address="nuc:7400"/></Peers>',
    );
  });

  it('escape what XML would take for markup', () => {
    expect(config({ networkInterface: '"/><x&' })).toContain('name="&quot;/&gt;&lt;x&amp;"');
  });

  it('allow no participant whose ports would not exist', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 232 }), (domainId) => {
        const text = /<MaxAutoParticipantIndex>(\d+)</.exec(config({ domainId }))?.[1];
        const highest = Number(text);
        expect(highest).toBeGreaterThanOrEqual(60);
        expect(7400 + 250 * domainId + 11 + 2 * highest).toBeLessThanOrEqual(65_535);
      }),
    );
  });
});

describe('CYCLONEDDS_URI', () => {
  const element = (content: string, id = 'any') =>
    `<CycloneDDS><Domain Id="${id}">${content}</Domain></CycloneDDS>`;

  it('comes after the settings of this program, so that it has the last word', () => {
    const uri = element('<Internal><NackDelay>1 ms</NackDelay></Internal>');
    expect(config({}, uri)).toBe(`${config()},${uri}`);
  });

  it.each(['any', '3', '7'])('has its traces for itself, of domain %s, too', (id) => {
    const uri = element('<Tracing><Verbosity>fine</Verbosity></Tracing>', id);
    expect(config({}, uri).slice(0, -uri.length)).not.toContain('Tracing');
  });

  it.each([
    ['as XML', element(`<General>${others}</General>`)],
    ['for this domain', element(`<General>${others}</General>`, '3')],
    ['for a domain without id', element(`<General>${others}</General>`).replace(' Id="any"', '')],
    ['in small letters', element(`<General>${others}</General>`).toLowerCase()],
    ['outside of a domain', `<CycloneDDS><General>${others}</General></CycloneDDS>`],
    ['in the old way', element('<NetworkInterfaceAddress>eth7</NetworkInterfaceAddress>')],
    ['after another text', `${element('')},${element(`<General>${others}</General>`)}`],
    [
      'after an empty element',
      `<CycloneDDS><Domain Id="5"/><Domain>${others}</Domain></CycloneDDS>`,
    ],
  ])('replaces the interface and multicast when it names interfaces %s', (_, uri) => {
    const ours = config({}, uri).slice(0, -uri.length - 1);
    expect(ours).not.toContain('<General>');
    expect(ours).toContain(peers);
  });

  it.each([
    ['for another domain', element(`<General>${others}</General>`, '5')],
    ['in a comment', element(`<!-- ${others} -->`)],
    ['in a file that cannot be read', '/no/such/file.xml'],
  ])('does not replace them when it names interfaces %s', (_, uri) => {
    expect(config({}, uri)).toBe(`${config()},${uri}`);
  });

  it('replaces the peers when it names peers', () => {
    const uri = element('<Discovery><Peers><Peer Address="192.0.2.9"/></Peers></Discovery>');
    const ours = config({ initialPeers: ['192.0.2.1'] }, uri).slice(0, -uri.length);
    expect(ours).not.toContain('Peer ');
    expect(ours).toContain(interfaces);
  });

  it.each(['file:///etc/dds.xml', '/etc/dds.xml', `${element('')}, /etc/dds.xml`])(
    'is read as a list of texts and files: %s',
    (uri) => {
      const read: string[] = [];
      const { xml: merged } = domainConfig(network, uri, (path) => {
        read.push(path);
        return element(`<General>${others}</General>`);
      });
      expect(new Set(read)).toEqual(new Set(['/etc/dds.xml']));
      expect(merged.slice(0, -uri.length)).not.toContain('<General>');
      expect(merged.endsWith(`,${uri}`)).toBe(true);
    },
  );

  it('of any content leaves the text whole and at the end', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (uri) => {
        expect(config({}, uri).endsWith(`</CycloneDDS>,${uri}`)).toBe(true);
      }),
    );
  });
});
