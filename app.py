"""The app: its name, its pages and the room they stand in. Run with ``streamlit run app.py``."""

if __name__ != "__mp_main__":  # as which processes that compute run it, too: they need nothing of it
    import streamlit as st

    from dpot_app import shell
    from dpot_app.shell.home import tour


def draw() -> None:
    """One run of the script, for one session."""
    shell.page_config()
    if not shell.let_in():
        return
    # Sections without a name stand in the bar themselves; the others open as menus.
    pages = {
        "": [
            shell.listed("home", ":material/home:", "Home", default=True),
            shell.listed("decide", ":material/target:", "Find my ε"),
            shell.listed("explain", ":material/help:", "What ε means"),
            shell.listed("board", ":material/dashboard:", "What-if board"),
            shell.listed("papers", ":material/menu_book:"),
        ],
        "One person's release": [
            shell.listed("ring", ":material/data_usage:"),
            shell.listed("geolocation", ":material/map:", "Geolocation"),
            shell.listed("mixture", ":material/show_chart:", "Gaussian mixture"),
            shell.listed("movies", ":material/movie:", "Movies"),
        ],
        "Many people's data": [
            shell.listed("population", ":material/groups:"),
            shell.listed("metric", ":material/straighten:", "Metric privacy"),
            shell.listed("sinkhorn", ":material/sync_alt:", "Private transport"),
        ],
    }
    page = st.navigation(pages, position="top")
    shell.page_frame(page, next(name for name, listed in pages.items() if page in listed))
    shell.here(page.url_path)
    tour.bar(page.url_path)
    page.run()
    shell.lesson(page.url_path)
    shell.leave()


if __name__ == "__main__":
    # Streamlit runs this file for each session and each move of a control.
    with shell.Running():
        draw()
elif __name__ != "__mp_main__":
    shell.get_ready()
    # The server imports it once. Frames and JavaScript have addresses of their own, behind the check of who comes in.
    app = st.App(__file__, routes=shell.routes(), middleware=shell.middleware(), lifespan=shell.lifespan)
