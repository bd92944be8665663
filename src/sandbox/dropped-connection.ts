/** Thrown by `fetch` where a fault drops the connection, as a real `fetch` throws. */
export class DroppedConnection extends TypeError {
  override readonly name = 'DroppedConnection';
}
