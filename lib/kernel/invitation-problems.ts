/** What became of an invitation to several addresses of which some could not be invited. */
export interface InvitationFailure {
  /** Address, reason, and whether it has an account that is deactivated. */
  errors: readonly (readonly [address: string, reason: string, isDeactivated: boolean])[];
  /** Whether the others were invited. */
  sent_invitations: boolean;
  /** Whether it was refused since too many were invited lately. */
  daily_limit_reached: boolean;
}

/** Why an invitation lets nobody in. */
export type InvitationProblem = 'unknown' | 'expired' | 'revoked' | 'used';

/** The same for people. */
export const INVITATION_PROBLEMS: Readonly<Record<InvitationProblem, string>> = {
  unknown: 'There is no such invitation. Check that the link is complete.',
  expired: 'This invitation has expired. Ask whoever invited you for another one.',
  revoked: 'This invitation is no longer valid. Ask whoever invited you for another one.',
  used: 'This invitation has been accepted already. Sign in with the account that was made with it.',
};
