/**
 * What this program uses of rclnodejs 2.2, in its own words: the types of that package compile only
 * where ROS 2 is, and this program must compile without it. Everything here belongs to the main
 * thread. A callback that throws ends the process (SIGABRT), so every callback is wrapped.
 */
export interface Rclnodejs {
  readonly Context: new (domainId: bigint) => RosContext;
  readonly QoS: new (
    history: number,
    depth: number,
    reliability: number,
    durability: number,
  ) => RosQos;
  /** ROS 2 Jazzy and newer. */
  readonly PublisherEventCallbacks: new () => RosEventCallbacks;
  readonly SubscriptionEventCallbacks: new () => RosEventCallbacks;
  /** @param type `rcl_interfaces/msg/ParameterType`. */
  readonly Parameter: new (name: string, type: number, value: unknown) => RosParameter;
  /** @param argv with `--ros-args`, as on a command line. */
  init(context: RosContext, argv: readonly string[]): Promise<void>;
  createNode(
    name: string,
    namespace: string,
    context: RosContext,
    options: RosNodeOptions,
  ): RosNode;
  /** The class of a message or service, as `package/msg/Type`. Throws when there is none. */
  require(interfaceName: string): unknown;
  /** Takes away the handler of SIGINT that the import installs. */
  removeSignalHandlers(): void;
}

/** Made here and given back. */
export type RosQos = object;
export type RosParameter = object;

export interface RosNodeOptions {
  /** Whether rclnodejs answers for parameters; those that it knows of. */
  readonly startParameterServices: boolean;
  /** Whether rclnodejs publishes its own log on `/rosout`. */
  readonly enableRosout: boolean;
  /** Whether it serves `~/get_type_description`. */
  readonly startTypeDescriptionService: boolean;
  /** Count before those of the arguments. */
  readonly parameterOverrides: readonly RosParameter[];
}

export interface RosContext {
  shutdown(): void;
  isInitialized(): boolean;
}

/** What happened to a publisher or a subscription; set a property to receive it. */
export interface RosEventCallbacks {
  matched?: (event: RosMatchedEvent) => void;
  incompatibleQos?: (event: RosIncompatibleQosEvent) => void;
  messageLost?: (event: { readonly total_count: number }) => void;
}

export interface RosMatchedEvent {
  readonly current_count: number;
  readonly current_count_change: number;
}

export interface RosIncompatibleQosEvent {
  readonly total_count: number;
  /** `rmw_qos_policy_kind_t`. */
  readonly last_policy_kind: number;
}

export interface RosNode {
  /** Made by rclnodejs 2.2 for the relative name `parameter_events`, which is in the namespace. */
  readonly _parameterEventPublisher?: RosPublisher;
  /** Those that the thread of `spin` waits for, since the last `syncHandles`. */
  readonly _subscriptions?: RosSubscription[];
  /** Gives work to the entities that are ready; called by the thread that waits for them. */
  execute(handles: readonly unknown[]): void;
  spin(timeoutMs: number): void;
  name(): string;
  namespace(): string;
  /** Of all nodes that are discovered, this one included; one entry per node. */
  getNodeNamesAndNamespaces(): readonly { readonly name: string; readonly namespace: string }[];
  /** The wall clock, or with `use_sim_time` what `/clock` says. */
  getClock(): { now(): { readonly nanoseconds: bigint } };
  createPublisher(
    type: string,
    topic: string,
    options: { readonly qos: RosQos },
    events?: RosEventCallbacks,
  ): RosPublisher;
  createSubscription(
    type: string,
    topic: string,
    options: { readonly qos: RosQos; readonly isRaw: true },
    onMessage: (cdr: Buffer) => void,
    events?: RosEventCallbacks,
  ): RosSubscription;
  createService(
    type: string,
    name: string,
    options: object,
    onRequest: (request: RosFields, response: RosResponse) => void,
  ): object;
  /** To be called after `createPublisher` with events, which forgets it. */
  syncHandles(): void;
  destroyPublisher(publisher: RosPublisher): void;
  destroySubscription(subscription: RosSubscription): void;
  getPublishersInfoByTopic(topic: string): readonly RosEndpointInfo[];
  getSubscriptionsInfoByTopic(topic: string): readonly RosEndpointInfo[];
  resolveTopicName(topic: string): string;
}

/** A message as an object; its integers of 64 bits are bigint. */
export type RosFields = Readonly<Record<string, unknown>>;

export interface RosResponse {
  /** With all fields, at zero. */
  readonly template: RosFields;
  /** May be called later, and once. */
  send(response: RosFields): void;
}

export interface RosPublisher {
  /** @param message serialized: CDR with its header. */
  publish(message: Buffer): void;
}

export interface RosSubscription {
  readonly isRaw: boolean;
}

export interface RosEndpointInfo {
  readonly node_name: string;
  readonly node_namespace: string;
  readonly topic_type: string;
  /** 16 bytes; with DDS the GUID of the endpoint. */
  readonly endpoint_gid: readonly number[];
}
