import { networkInterfaces } from 'node:os';

/** Loopback, as Linux names it. */
const loopbackNames = ['lo', '127.0.0.1'];

/** Whether this name or address is that of the loopback interface. */
export function isLoopback(networkInterface: string): boolean {
  return loopbackNames.includes(networkInterface);
}

/** The name of the interface of this machine that has this address. */
export function interfaceWith(address: string): string | undefined {
  const found = Object.entries(networkInterfaces()).find(([, addresses]) =>
    addresses?.some((entry) => entry.address === address),
  );
  return found?.[0];
}

/** An IPv4 address of a network card of this machine; undefined when it has none that is up. */
export function firstCardAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
