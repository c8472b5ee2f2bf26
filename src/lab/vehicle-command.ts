import type { Command } from '../controller/index.js';
import type { Header } from '../messages/index.js';

/** A command as a vehicle receives it: one of the four kinds, with its header. */
export type VehicleCommand = Command & { readonly header: Header };

/** The kinds of {@link VehicleCommand}. */
export type VehicleCommandKind = VehicleCommand['kind'];
