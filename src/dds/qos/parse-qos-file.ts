import { HlcError } from '../../errors/index.js';
import type { QosLibraries } from './qos-libraries.js';
import { QosProfile, secondReaderName, type ProfileEntity, type QosBase } from './qos-profile.js';
import { entityElements, readBases, readEntity, type EntityQos } from './read-entity.js';
import {
  checkAttributes,
  checkNoText,
  placeOf,
  refuseDuplicate,
  refuseElement,
  refuseValue,
} from './refusals.js';
import {
  otherSections,
  rtiProfileParts,
  warningAt,
  withoutEffect,
  type QosWarning,
} from './rti-extensions.js';
import { parseXml, type XmlElement } from './xml-element.js';
import { parseBoolean } from './xml-values.js';

/**
 * Reads a QoS file as OMG DDS-XML 1.0 describes it, with the additions of RTI Connext that have a
 * counterpart here; other additions of RTI become warnings, everything else is refused.
 * @param fileName for messages.
 * @param loaded what was loaded before: its profiles can be inherited from, and are hidden by
 *   profiles of the same full name.
 * @throws HlcError `HLC_QOS_XML`, `HLC_QOS_ELEMENT`, `HLC_QOS_VALUE`, `HLC_QOS_DUPLICATE`,
 *   `HLC_QOS_BASE`, `HLC_QOS_INCONSISTENT`; each names the file, the line and what is accepted.
 */
export function parseQosFile(text: string, fileName: string, loaded?: QosLibraries): QosLibraries {
  const root = parseXml(text, fileName);
  if (root.name !== 'dds') refuseElement(root, ['dds']);
  return new FileReader(fileName, loaded).read(root);
}

const maxLayers = 100;

class FileReader {
  private readonly own = new Map<string, QosProfile>();
  /** The full names of all profiles of the file, also of those not read yet. */
  private readonly declared = new Set<string>();
  private readonly places = new Map<string, XmlElement>();
  private readonly warnings: QosWarning[] = [];
  private defaultProfile: { profile: QosProfile; element: XmlElement } | undefined;

  constructor(
    private readonly fileName: string,
    private readonly loaded: QosLibraries | undefined,
  ) {}

  read(root: XmlElement): QosLibraries {
    checkAttributes(root, ['version']);
    checkNoText(root);
    for (const library of root.children) {
      for (const { attributes } of library.children) {
        this.declared.add(
          `${library.attributes.get('name') ?? ''}::${attributes.get('name') ?? ''}`,
        );
      }
    }
    for (const child of root.children) {
      if (child.name === 'qos_library') this.readLibrary(child);
      else if (otherSections.includes(child.name)) {
        this.warn(warningAt(child, `<${child.name}> is left out: only QoS is read.`));
      } else refuseElement(child, ['qos_library']);
    }
    return {
      fileName: this.fileName,
      profiles: new Map([...(this.loaded?.profiles ?? []), ...this.own]),
      ownProfiles: [...this.own.values()],
      defaultProfile: this.defaultProfile?.profile,
      warnings: this.warnings,
    };
  }

  private readonly warn = (warning: QosWarning): void => {
    this.warnings.push(warning);
  };

  private readLibrary(element: XmlElement): void {
    checkAttributes(element, ['name']);
    checkNoText(element);
    const library = this.nameOf(element, '');
    for (const child of element.children) {
      if (child.name !== 'qos_profile') refuseElement(child, ['qos_profile']);
      this.readProfile(child, library);
    }
  }

  private readProfile(element: XmlElement, library: string): void {
    const attributes = ['is_default_qos', 'is_default_participant_factory_profile'] as const;
    checkAttributes(element, ['name', 'base_name', ...attributes]);
    checkNoText(element);
    const fullName = this.nameOf(element, `${library}::`);
    const [isDefault] = attributes.map((attribute) => readFlag(element, attribute));

    const bases = readBases(element).map((base) => this.findProfile(element, base, library));
    const profile = new QosProfile(fullName, element, this.readEntities(element, library), bases);
    if (profile.layers > maxLayers) {
      const cause = `${profile.layers} profiles would lie on each other, at most ${maxLayers} may`;
      this.refuseBase(element, bases.map(({ name }) => name).join(', '), cause);
    }
    profile.check();
    this.own.set(fullName, profile);
    if (!isDefault) return;
    if (this.defaultProfile) {
      const { line } = this.defaultProfile.element;
      refuseValue(element, `is_default_qos="true" once, and line ${line} has it`, 'true');
    }
    this.defaultProfile = { profile, element };
  }

  private readEntities(element: XmlElement, library: string): readonly ProfileEntity[] {
    const entities: ProfileEntity[] = [];
    const seen = new Map<string, XmlElement>();
    for (const child of element.children) {
      const kind = entityElements.get(child.name);
      if (kind) {
        const entity = readEntity(child, kind, this.warn);
        checkSecondReader(entity);
        const first = seen.get(identityOf(entity));
        if (first) refuseDuplicate(child, first);
        seen.set(identityOf(entity), child);
        const baseProfiles = entity.bases.map((base) => this.findBase(entity, base, library));
        entities.push({ ...entity, baseProfiles });
      } else if (rtiProfileParts.includes(child.name)) this.warn(withoutEffect(child));
      else if (child.name !== 'base_name') refuseElement(child, [...entityElements.keys()]);
    }
    return entities;
  }

  /** The full name of a library or profile; remembered, so that nothing is named twice. */
  private nameOf(element: XmlElement, prefix: string): string {
    const name = element.attributes.get('name') ?? '';
    if (name.trim() === '' || name.includes('::')) {
      refuseValue(element, 'an attribute name that is not empty and has no "::"', name);
    }
    const fullName = prefix + name;
    const first = this.places.get(fullName);
    if (first) refuseDuplicate(element, first);
    this.places.set(fullName, element);
    return fullName;
  }

  /** `Library::Profile`, or `Profile` of the same library. */
  private findProfile(element: XmlElement, base: string, library: string): QosProfile {
    const fullName = base.includes('::') ? base : `${library}::${base}`;
    const profile =
      this.own.get(fullName) ??
      (this.declared.has(fullName) ? undefined : this.loaded?.profiles.get(fullName));
    if (profile) return profile;
    const stands = 'the base must stand before the profile that inherits from it';
    const cause =
      this.places.get(fullName) === element ? 'a profile cannot be its own base' : stands;
    return this.refuseBase(
      element,
      base,
      this.declared.has(fullName) ? cause : 'it does not exist',
    );
  }

  /** The same, or `Library::Profile::entity`. */
  private findBase(entity: EntityQos, base: string, library: string): QosBase {
    const [first, second, entityName] = base.split('::');
    if (entityName === undefined) {
      return { profile: this.findProfile(entity.element, base, library) };
    }
    const profile = this.findProfile(entity.element, `${first ?? ''}::${second ?? ''}`, library);
    if (!profile.draftOf(entity.kind, entityName)) {
      const cause = `the profile has no <${entity.element.name}> with the name "${entityName}"`;
      this.refuseBase(entity.element, base, cause);
    }
    return { profile, entityName };
  }

  private refuseBase(element: XmlElement, base: string, cause: string): never {
    const names = [...this.own.keys(), ...(this.loaded?.profiles.keys() ?? [])];
    const accepted = names.length === 0 ? 'no base' : names.join(', ');
    throw new HlcError('HLC_QOS_BASE', { ...placeOf(element), base, cause, accepted });
  }
}

/** An attribute that is true or false, and false when absent. */
function readFlag(element: XmlElement, attribute: string): boolean {
  const text = element.attributes.get(attribute) ?? 'false';
  return parseBoolean(text) ?? refuseValue(element, `in ${attribute}: true, false, 1, 0`, text);
}

/** Two elements of a kind with the same name, or unnamed and with the same filter, are one. */
function identityOf({ kind, name, filter }: EntityQos): string {
  return name === undefined ? `${kind} filter ${filter?.text ?? ''}` : `${kind} name ${name}`;
}

function checkSecondReader({ kind, name, draft, element }: EntityQos): void {
  if (kind !== 'reader' || name !== secondReaderName || draft.reliability?.kind !== 'reliable') {
    return;
  }
  throw new HlcError('HLC_QOS_INCONSISTENT', {
    ...placeOf(element),
    cause: `the reader named ${secondReaderName} asks for reliable delivery`,
    accepted: 'BEST_EFFORT_RELIABILITY_QOS, or no <reliability>',
  });
}
