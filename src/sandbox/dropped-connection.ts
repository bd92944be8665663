/** Thrown by the sandbox's `fetch` where a fault drops the connection, as a real `fetch` throws a `TypeError`. */
export class DroppedConnection extends TypeError {
  /** Always `DroppedConnection`. */
  override readonly name = 'DroppedConnection';
}
