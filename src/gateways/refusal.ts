/**
 * Input of a client breaks a rule of its protocol or a bound of the gateway. The message completes
 * the sentence "The input is refused: …".
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
