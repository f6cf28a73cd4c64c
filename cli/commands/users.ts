import { commands } from '../operations/metadata.ts';

export const users = commands('users', 'People and their accounts', {
  list: { columns: { members: ['user_id', 'full_name', 'delivery_email', 'role', 'is_bot', 'is_active'] } },
  create: {
    args: ['email'],
    examples: ['users create ben@example.com --full-name "Ben Ngo" --password-stdin < password.txt'],
  },
  get: { args: ['user_id'], examples: ['users get ben@example.com', 'users get 9 --json'] },
  getByEmail: { args: ['email'] },
  deactivate: { args: ['user_id'], confirm: 'Deactivate this account and the bots it owns?' },
  deactivateMe: { confirm: 'Deactivate your own account?' },
  reactivate: { args: ['user_id'] },
});
