import { cookies } from 'next/headers';
import { Chat } from './panel.jsx';

export default async function Page() {
  const isLoggedIn = (await cookies()).get('login')?.value === 'ada';
  return (
    <main>
      <h1>The application</h1>
      {isLoggedIn ? (
        <Chat />
      ) : (
        <form action="/login" method="post">
          <input name="name" aria-label="Name" defaultValue="ada" />{' '}
          <input name="password" aria-label="Password" type="password" /> <button type="submit">Log in</button>
        </form>
      )}
    </main>
  );
}
