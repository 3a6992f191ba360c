// What this browser keeps of a vote, so that it survives a reload between any two steps. Under the person, as they are
// signed in, the contest, and the place on the roll: others who use this browser have their own.
const PREFIX = "election";

export class Store {
  constructor(...parts) { this.name = [PREFIX, ...parts].join(":"); }

  read() {
    try {
      return JSON.parse(localStorage.getItem(this.name)) ?? {};
    } catch {
      return {};
    }
  }
  // Throws where the browser keeps nothing: nothing may be asked of the registrar then.
  write(state) {
    localStorage.setItem(this.name, JSON.stringify(state));
    if (localStorage.getItem(this.name) === null) throw new Error("this browser keeps nothing");
  }
  forget() { localStorage.removeItem(this.name); }
}
