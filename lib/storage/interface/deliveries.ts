/** What is sent at a time of its own, and goes when it has been. */
export interface Delivery {
  id: number;
  /** Seconds. */
  scheduled_delivery_timestamp: number;
  /** Why it was not sent; null while it is still to be. */
  failure: string | null;
  /** Rises whenever it is changed or claimed, so that nobody acts on what it was. */
  revision: number;
}

/** As somebody asks for it. */
export type NewDelivery<D extends Delivery> = Omit<D, 'id' | 'failure' | 'revision'>;

/** All of it commutes with its like and with sending, so it runs in `shared` writes. */
export interface DeliveryStore<D extends Delivery> {
  /** Returns its id, which is given to no other. */
  create(delivery: NewDelivery<D>): Promise<number>;
  /** All that somebody has, also those that failed, by time. */
  of(userId: number): Promise<D[]>;
  /** How many these are, and how long their texts and HTML are together. */
  size(userId: number): Promise<{ count: number; characters: number }>;
  byId(id: number): Promise<D | undefined>;
  remove(id: number): Promise<void>;
  /** When the next is due, milliseconds; the end of a lease counts too. */
  nextDue(): Promise<number | undefined>;
  /**
   * Claims those that are due, first by time and then by id, so that nobody else takes them until `leaseUntilMs`.
   * What another transaction is claiming is passed over, not waited for.
   */
  claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<D[]>;
  /** Removes one that is being sent; false where it was changed, claimed again or removed since it was claimed. */
  take(claimed: Pick<D, 'id' | 'revision'>): Promise<boolean>;
  /** Notes why it will not be sent; false where it was changed, claimed again or removed since it was claimed. */
  fail(claimed: Pick<D, 'id' | 'revision'>, failure: string): Promise<boolean>;
}
