import type {
  Rclnodejs,
  RosContext,
  RosEndpointInfo,
  RosEventCallbacks,
  RosFields,
  RosNode,
  RosNodeOptions,
  RosPublisher,
  RosQos,
  RosSubscription,
} from '../../src/ros2/rclnodejs-api.js';

const reliable = 1;
const reliability = 1 << 4;

/** What a fake QoS says. */
export interface FakeQos {
  readonly history: number;
  readonly depth: number;
  readonly reliability: number;
  readonly durability: number;
}

interface Endpoint {
  readonly type: string;
  readonly topic: string;
  readonly qos: FakeQos;
  readonly events: RosEventCallbacks | undefined;
  readonly gid: readonly number[];
  readonly nodeName: string;
}

interface FakeSubscription extends Endpoint, RosSubscription {
  readonly onMessage: (cdr: Buffer) => void;
}

/** What a test sees of a node. */
interface FakeNode extends RosNode {
  readonly options: RosNodeOptions;
  /** What it wrote to a topic, oldest first. */
  sentTo(topic: string): readonly Buffer[];
  /** Asks a service of the node; undefined when it does not answer. */
  call(service: string, request: RosFields): Promise<RosFields | undefined>;
  readonly publishers: readonly Endpoint[];
  readonly subscriptions: readonly FakeSubscription[];
  /** Those whose messages are taken. */
  readonly waitedFor: readonly RosSubscription[];
}

/**
 * The part of rclnodejs that this program uses, within this process: nodes of one domain exchange
 * messages by topic and type where their reliability fits. As in rclnodejs, a callback that throws
 * is the end: the throw reaches the caller of the callback.
 */
export class FakeRclnodejs implements Rclnodejs {
  readonly nodes: FakeNode[] = [];
  readonly initArguments: (readonly string[])[] = [];
  /** Interfaces that cannot be found. */
  readonly missingInterfaces = new Set<string>();
  /** What the clocks of the nodes say, ns. */
  nowNs = 0n;
  /** Nodes that are discovered beside those of this process. */
  readonly otherNodes: { readonly name: string; readonly namespace: string }[] = [];
  #lastGid = 0;
  readonly #endpoints = new Map<RosContext, Set<Endpoint>>();

  readonly Context = FakeContext;
  readonly Parameter = class {
    constructor(
      readonly name: string,
      readonly type: number,
      readonly value: unknown,
    ) {}
  };
  readonly QoS = class implements FakeQos {
    constructor(
      readonly history: number,
      readonly depth: number,
      readonly reliability: number,
      readonly durability: number,
    ) {}
  };
  readonly PublisherEventCallbacks = FakeEventCallbacks;
  readonly SubscriptionEventCallbacks = FakeEventCallbacks;

  init(context: RosContext, argv: readonly string[]): Promise<void> {
    this.initArguments.push(argv);
    if (argv.includes('--broken')) return Promise.reject(new Error('rcl says no\nand more'));
    (context as OwnContext).open();
    this.#endpoints.set(context, new Set());
    return Promise.resolve();
  }

  require(interfaceName: string): unknown {
    if (!this.missingInterfaces.has(interfaceName)) return {};
    throw new Error(`The message required does not exist: ${interfaceName}\nat somewhere`);
  }

  removeSignalHandlers(): void {
    // There is no handler of SIGINT in the fake.
  }

  createNode(
    name: string,
    namespace: string,
    context: RosContext,
    options: RosNodeOptions,
  ): FakeNode {
    const node = this.#makeNode(name, namespace === '' ? '/' : namespace, context, options);
    this.nodes.push(node);
    return node;
  }

  /** The node that the program under test made; the only one, or the one with this index. */
  node(index = 0): FakeNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`There is no node ${index}.`);
    return node;
  }

  #others(context: RosContext): Endpoint[] {
    const { domainId } = context as OwnContext;
    return [...this.#endpoints].flatMap(([other, endpoints]) =>
      (other as OwnContext).domainId === domainId ? [...endpoints] : [],
    );
  }

  #makeNode(
    name: string,
    namespace: string,
    context: RosContext,
    options: RosNodeOptions,
  ): FakeNode {
    const services = new Map<string, Parameters<RosNode['createService']>[3]>();
    const own = this.#endpoints.get(context) ?? new Set<Endpoint>();
    const publishers: (Endpoint & RosPublisher & { sent: Buffer[] })[] = [];
    const subscriptions: FakeSubscription[] = [];
    /** As rclnodejs, which waits for those that are in the list at the last call of syncHandles. */
    const listed: RosSubscription[] = [];
    let waitedFor: readonly RosSubscription[] = [];
    let spinning = false;
    const gid = () => {
      const bytes = new Uint8Array(16);
      new DataView(bytes.buffer).setUint32(0, this.nodes.indexOf(node) + 1);
      new DataView(bytes.buffer).setUint32(12, ++this.#lastGid);
      return [...bytes];
    };
    const peersOf = (endpoint: Endpoint) =>
      this.#others(context).filter(
        (other) =>
          other.topic === endpoint.topic &&
          other.type === endpoint.type &&
          'sent' in other !== 'sent' in endpoint,
      );
    const count = (endpoint: Endpoint) =>
      peersOf(endpoint).filter((other) => fits(endpoint, other)).length;
    const join = (endpoint: Endpoint) => {
      own.add(endpoint);
      for (const peer of peersOf(endpoint)) {
        for (const [side, other] of [
          [endpoint, peer],
          [peer, endpoint],
        ] as const) {
          if (fits(side, other)) {
            side.events?.matched?.({ current_count: count(side), current_count_change: 1 });
          } else {
            side.events?.incompatibleQos?.({ total_count: 1, last_policy_kind: reliability });
          }
        }
      }
    };
    const leave = (endpoint: Endpoint) => {
      own.delete(endpoint);
      for (const peer of peersOf(endpoint)) {
        peer.events?.matched?.({ current_count: count(peer), current_count_change: -1 });
      }
    };
    const infoOf = (topic: string, publishing: boolean): RosEndpointInfo[] =>
      this.#others(context)
        .filter((endpoint) => endpoint.topic === topic && 'sent' in endpoint === publishing)
        .map((endpoint) => ({
          node_name: endpoint.nodeName,
          node_namespace: '/',
          topic_type: endpoint.type,
          endpoint_gid: endpoint.gid,
        }));
    const node: FakeNode = {
      publishers,
      subscriptions,
      _subscriptions: listed,
      get waitedFor() {
        return waitedFor;
      },
      options,
      name: () => name,
      namespace: () => namespace,
      getNodeNamesAndNamespaces: () => [{ name, namespace }, ...this.otherNodes],
      getClock: () => ({ now: () => ({ nanoseconds: this.nowNs }) }),
      createService: (_type, service, _options, onRequest) => {
        services.set(service, onRequest);
        return {};
      },
      sentTo: (topic) => publishers.find((publisher) => publisher.topic === topic)?.sent ?? [],
      call: async (service, request) => {
        let answer: RosFields | undefined;
        const send = (response: RosFields) => {
          answer = response;
        };
        services.get(service)?.(request, { template: {}, send });
        await new Promise((resolve) => setImmediate(resolve));
        return answer;
      },
      execute: () => undefined,
      spin: () => {
        spinning = true;
      },
      createPublisher: (type, topic, { qos }, events) => {
        const publisher = {
          type,
          topic,
          qos: qos as FakeQos,
          events,
          gid: gid(),
          nodeName: name,
          sent: [] as Buffer[],
          publish: (message: Buffer) => {
            publisher.sent.push(message);
            for (const peer of peersOf(publisher)) {
              if (fits(publisher, peer)) (peer as FakeSubscription).onMessage(Buffer.from(message));
            }
          },
        };
        publishers.push(publisher);
        join(publisher);
        return publisher;
      },
      createSubscription: (type, topic, { qos }, onMessage, events) => {
        if (!spinning) throw new Error('The node does not spin.');
        const subscription: FakeSubscription = {
          type,
          topic,
          qos: qos as FakeQos,
          events,
          gid: gid(),
          nodeName: name,
          isRaw: true,
          onMessage,
        };
        subscriptions.push(subscription);
        listed.push(subscription);
        waitedFor = [...listed];
        join(subscription);
        return subscription;
      },
      syncHandles: () => {
        waitedFor = [...listed];
      },
      destroyPublisher: (publisher) => {
        publishers.splice(publishers.indexOf(publisher as (typeof publishers)[number]), 1);
        leave(publisher as unknown as Endpoint);
      },
      destroySubscription: (subscription) => {
        subscriptions.splice(subscriptions.indexOf(subscription as FakeSubscription), 1);
        leave(subscription as FakeSubscription);
      },
      getPublishersInfoByTopic: (topic) => infoOf(topic, true),
      getSubscriptionsInfoByTopic: (topic) => infoOf(topic, false),
      resolveTopicName: (topic) => topic,
    };
    return node;
  }
}

class FakeEventCallbacks implements RosEventCallbacks {
  matched?: NonNullable<RosEventCallbacks['matched']>;
}

/** What the fake needs of its contexts beside what the program sees. */
interface OwnContext extends RosContext {
  readonly domainId: bigint;
  open(): void;
}

class FakeContext implements OwnContext {
  #state: 'new' | 'open' | 'closed' = 'new';
  constructor(readonly domainId: bigint) {}
  open(): void {
    this.#state = 'open';
  }
  isInitialized(): boolean {
    return this.#state === 'open';
  }
  shutdown(): void {
    this.#state = 'closed';
  }
}

function fits(one: Endpoint, other: Endpoint): boolean {
  const [publisher, subscription] = 'sent' in one ? [one, other] : [other, one];
  return publisher.qos.reliability === reliable || subscription.qos.reliability !== reliable;
}

/** As the values of rmw; a test compares with it. */
export function fakeQos(qos: RosQos): FakeQos {
  return qos as FakeQos;
}
