/** A row with a delivery time: a scheduled message or a reminder. It is deleted when it is sent. */
export interface Delivery {
  id: number;
  /** Seconds. */
  scheduled_delivery_timestamp: number;
  /** Why it was not sent. null while it is pending. */
  failure: string | null;
  /** Rises with every change and claim, so that outdated claims are detected. */
  revision: number;
}

export type NewDelivery<D extends Delivery> = Omit<D, 'id' | 'failure' | 'revision'>;

/** All methods commute with each other and with sending, so they run in `shared` writes. */
export interface DeliveryStore<D extends Delivery> {
  /** Returns the ID, which is never used again. */
  create(delivery: NewDelivery<D>): Promise<number>;
  /** All deliveries of a user, including failed ones, ordered by time. */
  of(userId: number): Promise<D[]>;
  /** Number of deliveries of a user, and the length of their texts and HTML together. */
  size(userId: number): Promise<{ count: number; characters: number }>;
  byId(id: number): Promise<D | undefined>;
  remove(id: number): Promise<void>;
  /** Time when the next one is due, or when its lease ends, in milliseconds. */
  nextDue(): Promise<number | undefined>;
  /**
   * Claims due rows, ordered by time and ID. No other process can claim them until `leaseUntilMs`. Skips rows that
   * another transaction is claiming now.
   */
  claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<D[]>;
  /** Deletes a claimed row that is being sent. False if it was changed, claimed again or removed since the claim. */
  take(claimed: Pick<D, 'id' | 'revision'>): Promise<boolean>;
  /** Records why a claimed row is not sent. False if it was changed, claimed again or removed since the claim. */
  fail(claimed: Pick<D, 'id' | 'revision'>, failure: string): Promise<boolean>;
}
