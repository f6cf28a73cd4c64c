import { commands } from '../operations/metadata.ts';
import { ownPasswordCommand } from './own-password.ts';
import { currentState, settingsOf, showCommand } from './show.ts';

export const settings = commands(
  'settings',
  'Your own settings',
  {
    edit: {
      // `settings password` changes these: passwords do not belong on the command line.
      without: ['old_password', 'new_password'],
      parsers: { email_notifications_batching_period_seconds: 'duration' },
      done({ parameters }) {
        const names = Object.keys(parameters);
        return names.length === 0 ? 'Nothing was changed.' : `Changed your settings: ${names.join(', ')}.`;
      },
      examples: [
        'settings edit --full-name "Ada King"',
        'settings edit --translate-emoticons --timezone Europe/Copenhagen',
      ],
    },
  },
  showCommand('Show your own settings', ['settings show'], async (session) => {
    const { user_settings } = await currentState(session, 'user_settings');
    return settingsOf('settings.edit', (key) => (user_settings as Record<string, unknown>)[key]);
  }),
  ownPasswordCommand,
);
