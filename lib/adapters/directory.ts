/** A person in a directory. */
export interface DirectoryPerson {
  /** ID of the person in the directory: 1 to 255 characters. It never goes to another person. */
  id: string;
  /** E-mail address. The directory vouches that it belongs to the person. */
  email: string | undefined;
  /** Display name. Empty: the first part of the address. */
  name: string;
}

/** The answer to a wrong password of a person that the directory has. */
export interface WrongDirectoryPassword {
  /** ID of the person, as in `DirectoryPerson`. The chat counts wrong passwords for it, whatever login name was entered. */
  id: string;
  /** Tells the answer from a person. */
  isWrong: true;
}

/** Checks passwords that the chat does not have. Use `ldap()`, or write your own. */
export interface Directory {
  /**
   * The person with this login name and password. Undefined if there is none. The chat counts wrong passwords: by the ID,
   * if the answer to a wrong password has it, and by the login name.
   * @param login what the person has entered, such as `ben` or `ben@example.com`
   * @throws any error if the directory does not answer
   */
  check(login: string, password: string): Promise<DirectoryPerson | WrongDirectoryPassword | undefined>;
}
