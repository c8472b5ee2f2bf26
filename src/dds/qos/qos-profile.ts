import { HlcError } from '../../errors/index.js';
import type { QosPolicies, ReaderOptions } from '../../ports/index.js';
import { findContradiction } from './consistency.js';
import type { DiscoveryHints } from './discovery-hints.js';
import { mergeDrafts, type PolicyDraft } from './policy-draft.js';
import type { EntityKind } from './policy-table.js';
import type { EntityQos } from './read-entity.js';
import { placeOf } from './refusals.js';
import { toQosPolicies } from './to-qos-policies.js';
import { matchesTopic } from './topic-filter.js';
import type { XmlElement } from './xml-element.js';

/** The entities whose QoS can be asked for; those of groups are part of their endpoints'. */
export type LookupKind = 'participant' | 'topic' | 'writer' | 'reader';

/** One reader of a topic. */
export interface ReaderQos {
  readonly qos: QosPolicies;
  readonly options: ReaderOptions & { readonly ignoreReliableWriters: boolean };
}

/** Where an entity inherits from: a profile, or one named entity of a profile. */
export interface QosBase {
  readonly profile: QosProfile;
  readonly entityName?: string;
}

/** A `…_qos` element with its own bases found. */
export interface ProfileEntity extends EntityQos {
  readonly baseProfiles: readonly QosBase[];
}

/** Name of the `datareader_qos` that stands for the second, best-effort reader of a topic. */
export const secondReaderName = 'bestEffort';

/**
 * One `qos_profile`. For a topic it takes, of the elements of a kind, the first whose
 * `topic_filter` matches, else the one without a filter (RTI Connext user's manual, "Topic
 * Filters"), and lays it field by field on what its bases say for the same topic.
 */
export class QosProfile {
  /** How many profiles lie on each other in this one, each way to a base counted. */
  readonly layers: number;

  constructor(
    /** `Library::Profile`. */
    readonly name: string,
    private readonly element: XmlElement,
    private readonly entities: readonly ProfileEntity[],
    private readonly bases: readonly QosProfile[],
  ) {
    const entityBases = entities.flatMap((entity) => entity.baseProfiles);
    const below = [...bases, ...entityBases.map((base) => base.profile)];
    this.layers = below.reduce((sum, profile) => sum + profile.layers, 1);
  }

  /** Discovery settings of the participant, this profile's before its bases'. */
  get discovery(): DiscoveryHints {
    const layers = [
      ...this.bases.map((base) => base.discovery),
      ...this.entities.map((entity) => entity.hints),
    ];
    return layers.reduce((hints, layer) => ({ ...hints, ...layer }), {});
  }

  /**
   * The QoS for one entity. A writer's holds what the profile says of its publisher, a reader's
   * what it says of its subscriber (partition, presentation, group data).
   * @param topicName ignored for a participant.
   * @throws HlcError `HLC_QOS_INCONSISTENT`.
   */
  qosFor(kind: LookupKind, topicName: string): QosPolicies {
    return this.checked(kind, topicName, this.draftFor(kind, topicName));
  }

  /**
   * The readers that a topic needs: one, or two when the first is reliable and the profile has a
   * `datareader_qos name="bestEffort"` for the topic. The second has the QoS of the first with what
   * that element says laid on it, is best effort, and ignores reliable writers.
   * @param defaults a profile that is asked for the second reader when this one has none.
   * @throws HlcError `HLC_QOS_INCONSISTENT`.
   */
  readersFor(topicName: string, defaults?: QosProfile): readonly ReaderQos[] {
    const draft = this.draftFor('reader', topicName);
    const first = this.checked('reader', topicName, draft);
    const readers = [{ qos: first, options: { ignoreReliableWriters: false } }];
    const second =
      this.layersFor('reader', topicName, secondReaderName) ??
      defaults?.layersFor('reader', topicName, secondReaderName);
    if (second && first.reliability?.kind === 'reliable') {
      const bestEffort: PolicyDraft = { ...second, reliability: { kind: 'best-effort' } };
      const qos = this.checked('reader', topicName, mergeDrafts(draft, bestEffort));
      readers.push({ qos, options: { ignoreReliableWriters: true } });
    }
    return readers;
  }

  /**
   * Checks each element of this profile together with its bases.
   * @throws HlcError `HLC_QOS_INCONSISTENT`.
   */
  check(): void {
    for (const { kind, filter } of this.entities) {
      if (kind === 'publisher' || kind === 'subscriber') continue;
      // As a name, the text of a pattern matches the pattern, unless it has a set or an escape.
      const name = filter?.text.split(',')[0]?.trim() ?? '';
      if (kind === 'reader') this.readersFor(name);
      else this.qosFor(kind, name);
    }
  }

  /** What this profile and its bases say of the entity with this name. */
  draftOf(kind: EntityKind, entityName: string): PolicyDraft | undefined {
    const entity = this.entities.find((e) => e.kind === kind && e.name === entityName);
    if (!entity) return undefined;
    return mergeDrafts(this.baseDraft(entity, kind, ''), entity.draft);
  }

  private draftFor(kind: LookupKind, topicName: string): PolicyDraft {
    const own = this.layersFor(kind, topicName) ?? {};
    const group = { writer: 'publisher', reader: 'subscriber' } as const;
    if (kind !== 'writer' && kind !== 'reader') return own;
    return mergeDrafts(this.layersFor(group[kind], topicName) ?? {}, own);
  }

  private layersFor(kind: EntityKind, topicName: string, name?: string): PolicyDraft | undefined {
    const entity = this.select(kind, topicName, name);
    if (entity) return mergeDrafts(this.baseDraft(entity, kind, topicName, name), entity.draft);
    return this.inherited(kind, topicName, name);
  }

  private baseDraft(
    entity: ProfileEntity,
    kind: EntityKind,
    topicName: string,
    name?: string,
  ): PolicyDraft {
    if (entity.baseProfiles.length === 0) return this.inherited(kind, topicName, name) ?? {};
    return entity.baseProfiles
      .map(({ profile, entityName }) =>
        entityName === undefined
          ? profile.layersFor(kind, topicName)
          : profile.draftOf(kind, entityName),
      )
      .reduce<PolicyDraft>((draft, layer) => mergeDrafts(draft, layer ?? {}), {});
  }

  private inherited(kind: EntityKind, topicName: string, name?: string): PolicyDraft | undefined {
    return this.bases
      .map((base) => base.layersFor(kind, topicName, name))
      .reduce(
        (draft, layer) => (draft && layer ? mergeDrafts(draft, layer) : (layer ?? draft)),
        undefined,
      );
  }

  private select(kind: EntityKind, topicName: string, name?: string): ProfileEntity | undefined {
    const candidates = this.entities.filter((entity) => {
      const second = entity.kind === 'reader' && entity.name === secondReaderName;
      return entity.kind === kind && (name === undefined ? !second : entity.name === name);
    });
    return (
      candidates.find(({ filter }) => filter && matchesTopic(filter, topicName)) ??
      candidates.find(({ filter }) => !filter)
    );
  }

  private checked(kind: LookupKind, topicName: string, draft: PolicyDraft): QosPolicies {
    const qos = toQosPolicies(draft, kind);
    const contradiction = findContradiction(qos);
    if (contradiction) {
      const element = this.select(kind, topicName)?.element ?? this.element;
      throw new HlcError('HLC_QOS_INCONSISTENT', { ...placeOf(element), ...contradiction });
    }
    return qos;
  }
}
