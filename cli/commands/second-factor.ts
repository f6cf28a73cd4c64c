import { commands } from '../operations/metadata.ts';

export const secondFactor = commands('secondFactor', 'A second factor for your password', {
  begin: {
    done: ({ answer: { secret, url } }) =>
      `Add this key to an authenticator app:\n${secret}\nOr make a QR code of this URL:\n${url}\nThen run: chatctl second-factor confirm CODE`,
    examples: ['second-factor begin --password-stdin < password.txt'],
  },
  confirm: {
    args: ['code'],
    done({ answer: { recovery_codes }, terminal }) {
      terminal.err(
        'Your second factor is on. Save these recovery codes: if you lose your phone, each works once instead of a code.',
      );
      return recovery_codes.join('\n');
    },
    examples: ['second-factor confirm 492039'],
  },
  renewCodes: {
    args: ['code'],
    done({ answer: { recovery_codes }, terminal }) {
      terminal.err('Save these recovery codes. The earlier ones no longer work.');
      return recovery_codes.join('\n');
    },
    examples: ['second-factor renew-codes 492039'],
  },
  remove: {
    args: ['code'],
    undo: 'second-factor begin',
    done: 'Your second factor is off.',
    examples: ['second-factor remove 492039'],
  },
});
