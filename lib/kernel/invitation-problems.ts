/** What became of an invitation to several addresses of which some could not be invited. */
export interface InvitationFailure {
  /** Address, reason, and whether it has an account that is deactivated. */
  errors: readonly (readonly [address: string, reason: string, isDeactivated: boolean])[];
  sent_invitations: boolean;
  daily_limit_reached: boolean;
}

/** Why an invitation lets nobody in, by the reason that programs are told. */
export const INVITATION_PROBLEMS = {
  unknown: 'There is no such invitation. Check that the link is complete.',
  expired: 'This invitation has expired. Ask whoever invited you for another one.',
  revoked: 'This invitation is no longer valid. Ask whoever invited you for another one.',
  used: 'This invitation has been accepted already. Sign in with the account that was made with it.',
};

export type InvitationProblem = keyof typeof INVITATION_PROBLEMS;
