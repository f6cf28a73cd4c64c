export interface SecondFactor {
  user_id: number;
  /** The secret of the codes follows from it and the secret of the organization. */
  salt: string;
  /** False until the first code confirms the set-up. */
  is_on: boolean;
  /** When the set-up began. */
  begun_ms: number;
  /** Time step of the last accepted code. Codes of this step and of earlier ones do not count again. */
  last_step: number;
  /** Digests of the unused recovery codes. */
  recovery_digests: readonly string[];
  /** Wrong codes since the last right one. */
  wrong_codes: number;
  /** When the last of them came. */
  wrong_ms: number;
}

export interface SecondFactorStore {
  of(userId: number): Promise<SecondFactor | undefined>;
  /** Adds or replaces the second factor of an account. */
  put(factor: SecondFactor): Promise<void>;
  remove(userId: number): Promise<boolean>;
  /** Those of these accounts whose second factor is on. */
  holders(userIds: readonly number[]): Promise<number[]>;
}
