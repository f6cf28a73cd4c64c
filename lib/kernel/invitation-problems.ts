/** Result of an invitation of several addresses, if some could not be invited. */
export interface InvitationFailure {
  /** Address, reason, and whether a deactivated account has the address. */
  errors: readonly (readonly [address: string, reason: string, isDeactivated: boolean])[];
  /** Whether the other addresses were invited. */
  sent_invitations: boolean;
  /** Whether the daily limit of invitations was exceeded. */
  daily_limit_reached: boolean;
}

/** Why an invitation is not valid. */
export type InvitationProblem = 'unknown' | 'expired' | 'revoked' | 'used';

/** Messages for users. */
export const INVITATION_PROBLEMS: Readonly<Record<InvitationProblem, string>> = {
  unknown: 'There is no such invitation. Check that the link is complete.',
  expired: 'This invitation has expired. Ask for a new invitation.',
  revoked: 'This invitation is no longer valid. Ask for a new invitation.',
  used: 'This invitation has already been accepted. Sign in with the account that was created with it.',
};
